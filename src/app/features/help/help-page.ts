import { LANGUAGE } from "../../../catalog/query/describe.ts";
import { markdownPieces } from "../../../conversation/render/markdown-pieces.ts";
import { renderMarkdown } from "../../../conversation/render/render-markdown.ts";
import type { Renderers } from "../../../conversation/render/renderers.ts";
import { memoFields } from "../../../shared/memo.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import { type Distance, scrollTo, target } from "../../../ui/page/page-rows.ts";
import { showEdited } from "../../../ui/pane-title.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { type Line, lineText, type Span, span, strong } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, textWidth } from "../../../ui/text/width.ts";
import { wrapLine, wrapText } from "../../../ui/text/wrap.ts";
import type { HelpView } from "../../../ui/view.ts";
import { keyHints } from "../../world/keys/key.ts";
import { typeQuery } from "../../world/list/list-actions.ts";
import { RENDERERS } from "../../world/opened/select-reader.ts";
import { focusOn } from "../../world/screen/layout.ts";
import { mostTextRows, overlayBox, overlayWidth, textCell, textColumns } from "../../world/screen/menus.ts";
import { type Binding, boundHere, type Context, contextOf } from "../../world/state/binding.ts";
import { closeOverlay, type HelpOverlay, replaceTop } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { drawSections, firstScreen, hasEachWord, helpRows, matchingRows } from "./key-help.ts";

/** Maximum width of a row, in cells: wider ones are hard to read. */
const WIDEST_TEXT = 106;
const FIELD_ROWS = 1;
const PROMPT = "❯ ";

/** The new first visible row of a page of text after scrolling. */
export function scrollHelp(state: State, overlay: HelpOverlay, distance: Distance): number {
	const most = mostTextRows(state.size) - FIELD_ROWS;
	const last = lastTop(matchingLines(state, overlay), most);
	return target(Math.min(overlay.top, last), distance, most, last + 1);
}

/** Another text in the field: the page begins with the first row that has its words. */
export function editHelp(overlay: HelpOverlay, query: EditedText): HelpOverlay {
	return query.text === overlay.query.text ? { ...overlay, query } : { ...overlay, query, top: 0, sign: undefined };
}

/** The marked row with a sign, and the query that finds it: while something is typed the first one, unless another was chosen. */
export function markedSign(
	state: State,
	overlay: HelpOverlay,
): { readonly row: number; readonly query: string } | undefined {
	const signs = signsIn(matchingLines(state, overlay));
	const isTyped = overlay.query.text.trim() !== "";
	return signs.find(({ row }) => row === overlay.sign) ?? (isTyped ? signs[0] : undefined);
}

/** Marks the next (1) or previous (-1) row with a sign that a query finds, from the first row in sight. */
export function markSign(state: State, overlay: HelpOverlay, step: 1 | -1): State {
	const lines = matchingLines(state, overlay);
	const signs = signsIn(lines);
	const from = markedSign(state, overlay)?.row ?? overlay.top - 0.5;
	const ahead = signs.filter(({ row }) => (row - from) * step > 0);
	const next = (step === 1 ? ahead[0] : ahead.at(-1)) ?? signs.at(step === 1 ? 0 : -1);
	if (next === undefined) return state;
	const top = scrollTo(overlay.top, next.row, mostTextRows(state.size) - FIELD_ROWS, lines.length);
	return replaceTop(state, { ...overlay, sign: next.row, top });
}

function signsIn(lines: readonly Line[]): readonly { readonly row: number; readonly query: string }[] {
	return lines.flatMap((line, row) =>
		line.flatMap(({ types: query }) => (query === undefined ? [] : [{ row, query }])),
	);
}

/** Lists the sessions that a query finds, which the page names. */
export function searchFor(state: State, query: string): State {
	return typeQuery(focusOn("list")({ ...state, overlays: [] }), `${query} `);
}

/** A field, and below it the page, or its rows that have the typed words. */
export function selectHelp(state: State, overlay: HelpOverlay): HelpView {
	const { size } = state;
	const lines = matchingLines(state, overlay);
	const width = overlayWidth(WIDEST_TEXT, size);
	const room = textColumns(width);
	// As high as the whole page, so that the box does not move while one types.
	const rows = Math.max(1, Math.min(allLines(textOf(state, overlay)).length, mostTextRows(size) - FIELD_ROWS));
	const top = Math.min(overlay.top, lastTop(lines, rows));
	const box = overlayBox(width, rows + FIELD_ROWS, size);
	const field = showEdited(overlay.query, Math.max(1, room - PROMPT.length));
	const isTyping = state.filtering === "help";
	const typed = field.text === "" ? span(isTyping ? "type to filter" : "/ finds", "muted") : span(field.text);
	const marked = markedSign(state, overlay)?.row;
	const inSight = lines
		.slice(top, top + rows)
		.map((line, row) => (top + row === marked ? line.map((part): Span => ({ ...part, ground: "cursor" })) : line));
	const linesInSight = lines.length === 0 ? [[span("  Nothing here has these words", "muted")]] : inSight;
	return {
		kind: "help",
		...box,
		title: [strong(titleOf(state, overlay))],
		body: [[span(PROMPT, isTyping ? "accent" : "frame"), typed], ...linesInSight].map((line) => cutLine(line, room)),
		position: cleanText(`${formatCount(Math.min(top + rows, lines.length))}/${formatCount(lines.length)}`),
		cursor: isTyping ? textCell(box, 0, PROMPT.length + field.cursor) : undefined,
		hint: keyHints(state, room),
	};
}

/** What the pages and panes are called where their names in the code would not be understood. */
const PANE_NAMES: Readonly<Partial<Record<Context, string>>> = { saved: "list", find: "reader" };

function titleOf(state: State, { page, output }: HelpOverlay): CleanText {
	if (page === "output") return sanitizeLine(output?.title ?? "");
	if (page === "query") return cleanText("What can be searched for");
	const from = contextOf(closeOverlay(state));
	return cleanText(`Keys and signs: ${PANE_NAMES[from] ?? from}`);
}

/** The last row that can be the first visible one. */
function lastTop({ length }: readonly Line[], visible: number): number {
	return Math.max(0, length - visible);
}

interface HelpText {
	readonly page: HelpOverlay["page"];
	readonly output: string;
	readonly isMarkdown: boolean;
	readonly renderers: Renderers | undefined;
	readonly keymap: readonly Binding[];
	readonly from: Context;
	/** Cells. */
	readonly width: number;
	/** Words in lower case that each row must have; "" for all rows. */
	readonly typed: string;
}

function textOf(state: State, { page, output }: HelpOverlay): HelpText {
	return {
		page,
		output: output?.text ?? "",
		isMarkdown: output?.isMarkdown ?? false,
		renderers: RENDERERS.of(state).value,
		keymap: boundHere(state.environment),
		from: contextOf(closeOverlay(state)),
		width: textColumns(overlayWidth(WIDEST_TEXT, state.size)),
		typed: "",
	};
}

function matchingLines(state: State, overlay: HelpOverlay): readonly Line[] {
	const text = textOf(state, overlay);
	const typed = overlay.query.text.trim().toLowerCase();
	return typed === "" ? allLines(text) : typedLines({ ...text, typed });
}

/** Each frame needs all rows and those with the typed words, of what may be the 4 MB that a program has printed. */
const [allLines, typedLines] = [memoFields(makeLines), memoFields(makeLines)];

function makeLines({ page, output, isMarkdown, renderers, keymap, from, width, typed }: HelpText): readonly Line[] {
	switch (page) {
		case "query":
			return queryLines(typed, width);
		case "keys":
			return keysLines(keymap, from, typed, width);
		case "output":
			return isMarkdown ? markdownLines(output, renderers, typed, width) : outputLines(output, typed, width);
	}
}

/** The first screen and all keys and signs; only those with the typed words, if there are any. */
function keysLines(keymap: readonly Binding[], from: Context, typed: string, width: number): readonly Line[] {
	const rows = helpRows(keymap, from);
	if (typed !== "") return drawSections(matchingRows(rows, typed), width).slice(1);
	return [...firstScreen(keymap, from, width), ...drawSections(rows, width)];
}

function outputLines(text: string, typed: string, width: number): readonly Line[] {
	const lines = text.replaceAll("\t", "    ").split("\n");
	const matching = lines.filter((line) => hasEachWord(line, typed));
	return matching.length === 0 ? [] : wrapText(matching.join("\n"), width).map((row) => [span(row)]);
}

function markdownLines(text: string, renderers: Renderers | undefined, typed: string, width: number): readonly Line[] {
	const lines = [...markdownPieces(text)].flatMap((piece) => renderMarkdown(piece, width, renderers));
	return lines.filter((line) => hasEachWord(lineText(line), typed));
}

/** Maximum width of the column of examples; if that leaves too little room, the meaning is on the next row. */
const WIDEST_EXAMPLE = 32;
const LEAST_MEANING = 30;

function queryLines(typed: string, width: number): readonly Line[] {
	const examples = LANGUAGE.flatMap((section) => section.examples);
	const column = Math.min(WIDEST_EXAMPLE, Math.max(...examples.map(([example]) => textWidth(cleanText(example)))));
	const room = width - column - 2;
	const sections = LANGUAGE.map(({ title, examples: inSection }) => ({
		title,
		matches: inSection.filter((example) => hasEachWord(`${example.join(" ")} ${title}`, typed)),
	}));
	return sections
		.filter(({ matches }) => matches.length > 0)
		.flatMap(({ title, matches }, index) => [
			...(index === 0 ? [] : [[]]),
			[strong(title)],
			...matches.flatMap(([example, finds]) =>
				exampleLines(example, finds, column, room < LEAST_MEANING ? undefined : room, width),
			),
		]);
}

/** `room`: cells for the meaning beside the column of examples; undefined: it is below the example. */
function exampleLines(
	typed: string,
	finds: string,
	column: number,
	room: number | undefined,
	width: number,
): readonly Line[] {
	const example = cleanText(typed);
	const [indent, cells] = room === undefined ? [2, width - 2] : [column + 2, room];
	const meaning = wrapLine([span(finds, "muted")], cells).map((line): Line => [span(" ".repeat(indent)), ...line]);
	if (room === undefined || textWidth(example) > column)
		return [...wrapLine([span(example, "key")], width), ...meaning];
	const [[, ...first] = [], ...others] = meaning;
	return [[span(example, "key"), span(" ".repeat(indent - textWidth(example))), ...first], ...others];
}
