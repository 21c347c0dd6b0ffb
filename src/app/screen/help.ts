import { bindingsFor } from "../model/binding.ts";
import { memoLast } from "../model/memo.ts";
import type { HelpOverlay } from "../model/overlays.ts";
import type { State } from "../model/state.ts";
import type { HelpView, Line } from "../model/view.ts";
import { eachMove } from "../moved/each-move.ts";
import { formatCount } from "../text/format.ts";
import { cleanText } from "../text/sanitize.ts";
import { strong } from "../text/span.ts";
import { cutLine } from "../text/width.ts";
import { keyHints } from "./footer.ts";
import { mostTextRows, overlayBox, overlayWidth, textColumns } from "./overlay-box.ts";
import { allProblems, problemLines } from "./problem-lines.ts";
import { queryText } from "./query-text.ts";

/** Cells of a row of text at most: wider ones are hard to read. */
const WIDEST_TEXT = 106;

const TITLES: Readonly<Record<HelpOverlay["page"], string>> = {
	problems: "Problems",
	query: "What can be searched for",
	moves: "What would be forked, and to where",
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
		body: lines.slice(top, bottom).map((line) => cutLine(line, textColumns(width))),
		position: cleanText(`${formatCount(bottom)}/${formatCount(lines.length)}`),
		hint: keyHints(bindingsFor(state), textColumns(width)),
	};
}

function linesOf(state: State, { page, moves = [] }: HelpOverlay): readonly Line[] {
	const { environment, size, catalog } = state;
	const columns = textColumns(overlayWidth(WIDEST_TEXT, size));
	if (page === "query") return queryLines(columns);
	if (page === "moves") return eachMove(state, moves);
	return problemLines(allProblems(state), catalog.rows, environment.home, columns);
}

const queryLines = memoLast(queryText);
