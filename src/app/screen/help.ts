import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import type { BoundCommand } from "../keys/keymap.ts";
import { memoLast } from "../model/memo.ts";
import type { HelpOverlay, State } from "../model/state.ts";
import type { HelpView, Line } from "../model/view.ts";
import { formatCount, formatCounted } from "../text/format.ts";
import { cutLine, padText } from "../text/width.ts";
import { keyLabel } from "./footer.ts";
import { allProblems, problemLines } from "./problem-lines.ts";
import { statsText } from "./stats-text.ts";

const KEYS_WIDTH = 22;
const WIDEST = 110;
/** Rows beside the text: the border, and the hint. */
const FRAME_ROWS = 3;
/** Cells beside the text: the border, and a blank on each side. */
const FRAME_COLUMNS = 4;

const TITLES: Readonly<Record<HelpOverlay["page"], string>> = {
	keys: "Keys",
	problems: "Problems",
	stats: "Statistics",
};

/** First row of the page that can be on top in this terminal. */
export function lastHelpTop(state: State, overlay: HelpOverlay): number {
	return Math.max(0, linesOf(state, overlay).length - insideHeight(state));
}

/** A page of text, the rows in sight. */
export function selectHelp(state: State, overlay: HelpOverlay): HelpView {
	const lines = linesOf(state, overlay);
	const width = pageWidth(state);
	const height = Math.min(state.size.rows, lines.length + FRAME_ROWS);
	const inside = height - FRAME_ROWS;
	const top = Math.min(overlay.top, lastHelpTop(state, overlay));
	return {
		kind: "help",
		title: [{ text: TITLES[overlay.page], bold: true }],
		rows: lines.slice(top, top + inside).map((line, index) => ({
			key: String(top + index),
			line: cutLine(line, width - FRAME_COLUMNS),
			selected: false,
		})),
		position: `${formatCount(Math.min(top + inside, lines.length))}/${formatCount(lines.length)}`,
		hint: [{ text: "esc close", tone: "muted" }],
		width,
		height,
	};
}

function linesOf(state: State, { page }: HelpOverlay): readonly Line[] {
	const { home, keymap } = state.environment;
	if (page === "keys") return keyLines(keymap);
	if (page === "stats") return statsLines(state.stats, home, pageWidth(state) - FRAME_COLUMNS);
	return problemLines(allProblems(state), state.catalog.rows, home, pageWidth(state) - FRAME_COLUMNS);
}

function pageWidth({ size }: State): number {
	return Math.min(size.columns, WIDEST);
}

function insideHeight({ size }: State): number {
	return size.rows - FRAME_ROWS;
}

/** Every key and what it does, by section: the keymap as text. */
const keyLines = memoLast((keymap: readonly BoundCommand[]): readonly Line[] =>
	[...Map.groupBy(keymap, ({ section }) => section)].flatMap(([section, bindings], index) => [
		...(index === 0 ? [] : [[{ text: "" }]]),
		[{ text: section, tone: "accent" as const, bold: true }],
		...bindings
			.filter(({ keys }) => keys.length > 0)
			.map(
				({ keys, help, contexts }): Line => [
					{ text: padText(`  ${keys.map(keyLabel).join(", ")} `, KEYS_WIDTH), tone: "user" },
					{ text: help },
					{ text: `  (${contexts.join(", ")})`, tone: "muted" },
				],
			),
	]),
);

const statsLines = memoLast((stats: CatalogStats | undefined, home: string, width: number): readonly Line[] => {
	if (stats === undefined) return [[{ text: "Counting …", tone: "muted" }]];
	const missing = stats.sessions - stats.counted;
	const lines = statsText(stats, home, width);
	if (missing === 0) return lines;
	const counted = `counted so far: ${formatCount(stats.counted)} of ${formatCounted(stats.sessions, "session")}`;
	return [[{ text: counted, tone: "warning" }], ...lines];
});
