import { LANGUAGE } from "../../../catalog/query/describe.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, textWidth } from "../../../ui/text/width.ts";
import { wrapLine, wrapText } from "../../../ui/text/wrap.ts";
import type { HelpView } from "../../../ui/view.ts";
import { keysLines } from "../../features/commands/keys-lines.ts";
import { beneath } from "../../features/commands/list-commands.ts";
import { eachMove } from "../../features/maintenance/move-menus.ts";
import { keyHints } from "../../world/keys/key-hints.ts";
import { mostTextRows, overlayBox, overlayWidth, textColumns } from "../../world/screen/menus.ts";
import { bindingsFor, contextOf } from "../../world/state/binding.ts";
import type { HelpOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

/** Maximum width of a row, in cells: wider ones are hard to read. */
const WIDEST_TEXT = 106;

const TITLES: Readonly<Record<Exclude<HelpOverlay["page"], "output">, string>> = {
	query: "What can be searched for",
	keys: "Keys and signs",
	moves: "What would be forked, and to where",
};

/** The new first visible row of a page of text after scrolling. */
export function scrollHelp(state: State, overlay: HelpOverlay, distance: Distance): number {
	const most = mostTextRows(state.size);
	const last = lastTop(linesOf(state, overlay), most);
	return target(Math.min(overlay.top, last), distance, most, last + 1);
}

/** The visible rows of a page of text. */
export function selectHelp(state: State, overlay: HelpOverlay): HelpView {
	const { size } = state;
	const lines = linesOf(state, overlay);
	const width = overlayWidth(WIDEST_TEXT, size);
	const rows = Math.min(lines.length, mostTextRows(size));
	const top = Math.min(overlay.top, lastTop(lines, rows));
	return {
		kind: "help",
		...overlayBox(width, rows, size),
		title: [strong(overlay.page === "output" ? sanitizeLine(overlay.output?.title ?? "") : TITLES[overlay.page])],
		body: lines.slice(top, top + rows).map((line) => cutLine(line, textColumns(width))),
		position: cleanText(`${formatCount(top + rows)}/${formatCount(lines.length)}`),
		hint: keyHints(bindingsFor(state), textColumns(width)),
	};
}

/** The last row that can be the first visible one. */
function lastTop({ length }: readonly Line[], visible: number): number {
	return Math.max(0, length - visible);
}

function linesOf(state: State, { page, moves = [], output }: HelpOverlay): readonly Line[] {
	const columns = textColumns(overlayWidth(WIDEST_TEXT, state.size));
	switch (page) {
		case "query":
			return queryLines(columns);
		case "keys":
			return keysLines(state.environment.keymap, contextOf(beneath(state)), columns);
		case "moves":
			return eachMove(state, moves);
		case "output":
			return outputLines(output?.text ?? "", columns);
	}
}

const outputLines = memoLast((text: string, width: number): readonly Line[] =>
	wrapText(text.replaceAll("\t", "    "), width).map((row) => [span(row)]),
);

const queryLines = memoLast(queryText);

/** Maximum width of the column of examples; if that leaves too little room, the meaning is on the next row. */
const WIDEST_EXAMPLE = 32;
const LEAST_MEANING = 30;

/** The description of the query language, as in the documentation. */
function queryText(width: number): readonly Line[] {
	const examples = LANGUAGE.flatMap((section) => section.examples);
	const column = Math.min(WIDEST_EXAMPLE, Math.max(...examples.map(([typed]) => textWidth(cleanText(typed)))));
	const room = width - column - 2;
	return LANGUAGE.flatMap(({ title, examples: inIt }, index) => [
		...(index === 0 ? [] : [[]]),
		[strong(title)],
		...inIt.flatMap(([typed, finds]) =>
			exampleLines(typed, finds, column, room < LEAST_MEANING ? undefined : room, width),
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
