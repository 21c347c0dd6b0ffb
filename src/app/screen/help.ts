import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import { type Binding, bindingsFor } from "../model/binding.ts";
import { memoLast } from "../model/memo.ts";
import type { HelpOverlay, State } from "../model/state.ts";
import type { HelpView, Line } from "../model/view.ts";
import { formatCount, formatCounted } from "../text/format.ts";
import { blanks, type CleanText, cleanText } from "../text/sanitize.ts";
import { span, strong } from "../text/span.ts";
import { padText, textWidth } from "../text/width.ts";
import { wrapLine, wrapText } from "../text/wrap.ts";
import { keyHints, keyLabel } from "./footer.ts";
import { mostTextRows, overlayBox, overlayWidth, textColumns } from "./overlay-box.ts";
import { allProblems, problemLines } from "./problem-lines.ts";
import { statsText } from "./stats-text.ts";

/** The column of the keys is at most this wide, in cells, and takes at most this part of the page. */
const MOST_KEYS_WIDTH = 24;
const KEYS_SHARE = 0.4;
/** Cells before the keys, and between them and what they do. */
const INDENT = 2;
const GAP = 2;
/** Cells of a row of text at most: wider ones are hard to read. */
const WIDEST_TEXT = 106;

const TITLES: Readonly<Record<HelpOverlay["page"], string>> = {
	keys: "Keys",
	problems: "Problems",
	stats: "Statistics",
};

/** First row of the page that can be on top in this terminal. */
export function lastHelpTop(state: State, overlay: HelpOverlay): number {
	return Math.max(0, linesOf(state, overlay).length - mostTextRows(state.size));
}

/** A page of text, the rows in sight. */
export function selectHelp(state: State, overlay: HelpOverlay): HelpView {
	const { size } = state;
	const lines = linesOf(state, overlay);
	const width = overlayWidth(WIDEST_TEXT, size);
	const top = Math.min(overlay.top, lastHelpTop(state, overlay));
	const bottom = Math.min(top + mostTextRows(size), lines.length);
	return {
		kind: "help",
		...overlayBox(width, lines.length, size),
		title: [strong(TITLES[overlay.page])],
		body: lines.slice(top, bottom),
		position: cleanText(`${formatCount(bottom)}/${formatCount(lines.length)}`),
		hint: keyHints(bindingsFor(state), textColumns(width)),
	};
}

function linesOf(state: State, { page }: HelpOverlay): readonly Line[] {
	const { environment, size, stats, catalog } = state;
	const columns = textColumns(overlayWidth(WIDEST_TEXT, size));
	if (page === "keys") return keyLines(environment.keymap, columns);
	if (page === "stats") return statsLines(stats, environment.home, columns);
	return problemLines(allProblems(state), catalog.rows, environment.home, columns);
}

/** Every key and what it does, by section: the keymap as text, wrapped to `width` cells. */
const keyLines = memoLast((keymap: readonly Binding[], width: number): readonly Line[] => {
	const bound = keymap.filter(({ keys }) => keys.length > 0);
	const widest = Math.max(...bound.map((binding) => textWidth(keysText(binding))));
	const keysWidth = Math.min(widest, MOST_KEYS_WIDTH, Math.floor(width * KEYS_SHARE));
	return [...Map.groupBy(bound, ({ section }) => section)].flatMap(([section, bindings], index) => [
		...(index === 0 ? [] : [[]]),
		[strong(section, "accent")],
		...bindings.flatMap((binding) => keyRows(binding, keysWidth, width)),
	]);
});

/** A binding in two columns, in as many rows as the longer one takes. */
function keyRows(binding: Binding, keysWidth: number, width: number): Line[] {
	const keys = wrapText(keysText(binding), keysWidth);
	const text = [span(binding.help), span(`  (${binding.contexts.join(", ")})`, "muted")];
	const help = wrapLine(text, Math.max(1, width - keysWidth - INDENT - GAP));
	return Array.from({ length: Math.max(keys.length, help.length) }, (_, row) => [
		{ text: blanks(INDENT) },
		span(padText(keys[row] ?? blanks(0), keysWidth + GAP), "key"),
		...(help[row] ?? []),
	]);
}

function keysText({ keys }: Binding): CleanText {
	return cleanText(keys.map(keyLabel).join(", "));
}

const statsLines = memoLast((stats: CatalogStats | undefined, home: string, width: number): readonly Line[] => {
	if (stats === undefined) return [[span("Counting …", "muted")]];
	const missing = stats.sessions - stats.counted;
	const lines = statsText(stats, home, width);
	if (missing === 0) return lines;
	const counted = `counted so far: ${formatCount(stats.counted)} of ${formatCounted(stats.sessions, "session")}`;
	return [...wrapLine([span(counted, "warning")], width), ...lines];
});
