import { memoLast } from "../../../shared/memo.ts";
import type { Distance } from "../../../ui/page/distance.ts";
import type { TextPlace } from "../../../ui/page/text-blocks.ts";
import {
	blocksOfLines,
	earlier,
	lastTop,
	linesFrom,
	scrolled,
	TEXT_START,
	type TextBlocks,
} from "../../../ui/page/text-blocks.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { strong } from "../../../ui/text/span.ts";
import { cutLine } from "../../../ui/text/width.ts";
import type { HelpView } from "../../../ui/view.ts";
import { eachMove } from "../../features/maintenance/move-menus.ts";
import { keyHints } from "../../world/footer.ts";
import { mostTextRows, overlayBox, overlayWidth, textColumns } from "../../world/overlay-box.ts";
import { bindingsFor } from "../../world/state/binding.ts";
import type { HelpOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { queryText } from "./query-text.ts";

/** Cells of a row of text at most: wider ones are hard to read. */
const WIDEST_TEXT = 106;

const TITLES: Readonly<Record<HelpOverlay["page"], string>> = {
	query: "What can be searched for",
	moves: "What would be forked, and to where",
};

/** The first visible row of a page of text after it was scrolled. */
export function scrollHelp(state: State, overlay: HelpOverlay, distance: Distance): TextPlace {
	return scrolled(blocksOf(state, overlay), overlay.top, distance, mostTextRows(state.size));
}

/** A page of text, the rows in sight. */
export function selectHelp(state: State, overlay: HelpOverlay): HelpView {
	const { size } = state;
	const blocks = blocksOf(state, overlay);
	const width = overlayWidth(WIDEST_TEXT, size);
	const most = mostTextRows(size);
	// The box is as high as the text needs wherever one is in it.
	const rows = linesFrom(blocks, TEXT_START, most).lines.length;
	const { lines, end } = linesFrom(blocks, earlier(overlay.top, lastTop(blocks, most)), most);
	return {
		kind: "help",
		...overlayBox(width, rows, size),
		title: [strong(TITLES[overlay.page])],
		body: lines.map((line) => cutLine(line, textColumns(width))),
		position: cleanText(`${formatCount(end.block)}/${formatCount(blocks.count)}`),
		hint: keyHints(bindingsFor(state), textColumns(width)),
	};
}

function blocksOf(state: State, { page, moves = [] }: HelpOverlay): TextBlocks {
	const columns = textColumns(overlayWidth(WIDEST_TEXT, state.size));
	return blocksOfLines(page === "query" ? queryLines(columns) : eachMove(state, moves));
}

const queryLines = memoLast(queryText);
