import { LANGUAGE } from "../../../catalog/query/describe.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { type Line, span, strong, type Tone } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, textWidth } from "../../../ui/text/width.ts";
import { wrapLine, wrapText } from "../../../ui/text/wrap.ts";
import type { HelpView } from "../../../ui/view.ts";
import { keyHints, keyLabel } from "../../world/keys/key.ts";
import { mostTextRows, overlayBox, overlayWidth, textColumns } from "../../world/screen/menus.ts";
import { type Binding, bindingsFor, type Context, contextOf, sectionsOf } from "../../world/state/binding.ts";
import { closeOverlay, type HelpOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

/** Maximum width of a row, in cells: wider ones are hard to read. */
const WIDEST_TEXT = 106;

const TITLES: Readonly<Record<Exclude<HelpOverlay["page"], "output">, string>> = {
	query: "What can be searched for",
	keys: "Keys and signs",
};

/** The new first visible row of a page of text after scrolling. */
export function scrollHelp(state: State, overlay: HelpOverlay, distance: Distance): number {
	const most = mostTextRows(state.size);
	const last = lastTop(linesOf(state, overlay), most);
	return target(Math.min(overlay.top, last), distance, most, last + 1);
}

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

function linesOf(state: State, { page, output }: HelpOverlay): readonly Line[] {
	const columns = textColumns(overlayWidth(WIDEST_TEXT, state.size));
	switch (page) {
		case "query":
			return queryLines(columns);
		case "keys":
			return keysLines(state.environment.keymap, contextOf(closeOverlay(state)), columns);
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

/** Cells of the column of keys. */
const KEYS_WIDTH = 22;
const NARROW_KEYS_WIDTH = 14;
const NARROW = 60;
const GAP = 2;

/** Every key: those of where the person is first, then what the signs mean, then all other keys; in rows of `width` cells. */
const keysLines = memoLast((keymap: readonly Binding[], from: Context, width: number): readonly Line[] => {
	const withKeys = keymap.filter(({ keys }) => keys.length > 0);
	const here = withKeys.filter(({ contexts }) => contexts.includes(from));
	const elsewhere = withKeys.filter(({ contexts }) => !contexts.includes(from));
	const signs = SIGNS.flatMap(({ sign, tone, meaning }) => twoColumns([span(sign, tone)], [span(meaning)], width));
	const [, ...lines] = [
		...inSections(here, sectionsOf(keymap), "", width),
		...heading("Signs", width),
		...signs,
		...inSections(elsewhere, sectionsOf(keymap), ", elsewhere", width),
	];
	return lines;
});

function inSections(keys: readonly Binding[], sections: readonly string[], where: string, width: number): Line[] {
	const bySection = Map.groupBy(keys, ({ section }) => section);
	return sections.flatMap((section) => {
		const sectionKeys = bySection.get(section);
		if (sectionKeys === undefined) return [];
		const same = Map.groupBy(sectionKeys, ({ id, help }) => `${id} ${help}`);
		const rows = [...same.values()].flatMap((bindings) => keyRows(bindings, where !== "", width));
		return [...heading(`${section}${where}`, width), ...rows];
	});
}

function keyRows(same: readonly Binding[], isElsewhere: boolean, width: number): Line[] {
	const names = [...new Set(same.flatMap(({ keys }) => keys.map(keyLabel)))].join(", ");
	const contexts = [...new Set(same.flatMap(({ contexts: each }) => each))].join(", ");
	const [first] = same;
	if (first === undefined) return [];
	const what = [span(first.help), ...(isElsewhere ? [span(`  (${contexts})`, "muted")] : [])];
	return twoColumns([span(names, "key")], what, width);
}

function heading(text: string, width: number): Line[] {
	return [[], ...wrapLine([strong(text, "accent")], width)];
}

function twoColumns([first = span("")]: Line, right: Line, width: number): Line[] {
	const cells = width < NARROW ? NARROW_KEYS_WIDTH : KEYS_WIDTH;
	const firstColumn = wrapText(cleanText(first.text), cells).map((text) => span(text, first.tone));
	const lines = wrapLine(right, Math.max(1, width - cells - GAP));
	return Array.from({ length: Math.max(firstColumn.length, lines.length) }, (_, row): Line => {
		const part = firstColumn[row] ?? span("");
		const blank = span(" ".repeat(Math.max(1, cells + GAP - textWidth(part.text))));
		return [part, blank, ...(lines[row] ?? [])];
	});
}

interface Explained {
	readonly sign: string;
	readonly tone: Tone;
	readonly meaning: string;
}

const sign = (text: string, tone: Tone, meaning: string): Explained => ({ sign: text, tone, meaning });

/** The signs of the list, the tree and the reader. */
export const SIGNS: readonly Explained[] = [
	sign("●", "current", "what the person said; in the list: a process has the session"),
	sign("◐", "current", "it waits for you: it asks, or stopped midway, in the last 14 days"),
	sign("◆ ├", "current", "the line goes on here at a fork: other branches were left"),
	sign("│ ◉", "current", "the active path, and its end, where pi goes on"),
	sign("├╌⊞ ⊟", "frame", "a branch that was left, folded to one row, and opened"),
	sign(
		"○",
		"frame",
		"the end of a branch that was left; in the list: written to in the last half minute, by whom cannot be seen",
	),
	sign("★", "label", "pinned to the top of the list"),
	sign("⚑", "label", "a label"),
	sign("⧉", "accent", "a run of a subagent; in the list, with a number: how many runs a session has"),
	sign("…", "muted", "behind a command: it asks before it does anything"),
	sign("≡ ──", "summary", "a summary, a compaction, a change of the model"),
	sign("✗", "error", "it failed; with a number: how often"),
	sign("└", "muted", "the sum of a turn, and what a fork of a session was made from"),
	sign("→ ↓ ⟲", "muted", "tokens sent, received, and taken from the cache"),
	sign("+9 −4", "added", "lines added and removed"),
	sign("!", "warning", "a part of the session's file is damaged"),
	sign("◂", "current", "in the list: of the directory that this was started in; in a session: pi goes on here"),
	sign("▾ ▸", "frame", "a project in the list, open, and folded to its heading"),
	sign("▾ ▴", "accent", "above a column of the list: it is ordered by it, and the other way round"),
	sign("● ◦", "accent", "in a title: what is chosen, and what a click or key would choose"),
	sign("━ ─ ┈", "verb", "in the timeline: a run works, waits for its runs, a session is open; ≈: time left out"),
	sign("▸ ■ ╍ ?", "warning", "there: it works now, was stopped, its session is gone, its time is not known"),
];
