import { placeOf } from "../../../conversation/entries/place.ts";
import { drawTreeRow } from "../../../conversation/tree/draw-row.ts";
import type { ShownTree } from "../../../conversation/tree/draw-tree.ts";
import { noticeRows } from "../../../ui/page/page-rows.ts";
import { filterTitle, paneName, titleRoom } from "../../../ui/pane-title.ts";
import type { Tone } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import type { Box, RowView } from "../../../ui/view.ts";
import { selectDigest } from "../../world/opened/select-digest.ts";
import { selectRuns } from "../../world/opened/select-runs.ts";
import { selectedTreeIndex, selectTree } from "../../world/opened/select-tree.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import {
	longPosition,
	noteOfRewind,
	noteOfUse,
	shortPosition,
	treeNotes,
	treeSettings,
	whyNoEntryMatches,
} from "./tree-settings.ts";

/** Cells of the title before its notes: the name of the pane and the sign before the filter. */
const NAME_WIDTH = 8;
/** Cells that the title keeps beside the chip of the filter, and cells around that chip. */
const LEAST_TITLE = 16;
const CHIP_FRAME = 3;

export function selectTreePane(state: State, box: Box): AppPane {
	const tree = selectTree(state);
	const focused = state.focus === "tree";
	const place = cleanText(tree === undefined ? "" : position(state, tree, box));
	const isBelow = isLowest(state, box);
	const titleCells = titleRoom(box, isBelow ? cleanText("") : place);
	const settings = treeSettings(state);
	// While one types, the chip of the chosen filter is always there, and half of the title is for what is typed.
	const chipCells = lineWidth(settings.at(-1) ?? []) + CHIP_FRAME;
	const isTyping = state.filtering === "tree";
	const room = isTyping ? Math.max(LEAST_TITLE, titleCells - chipCells) : titleCells;
	const noteRoom = (room - NAME_WIDTH) / (isTyping ? 2 : 1);
	const typed = {
		name: paneName("tree", focused),
		query: state.tree.query,
		hint: "type to filter",
		notes: [...noteOfUse(state), ...noteOfRewind(state, noteRoom), ...treeNotes(state)],
		focused: isTyping,
	};
	const title = filterTitle(typed, room);
	const isTight = isTyping && !isBelow && lineWidth(title.title) > titleCells - chipCells;
	return {
		id: "tree",
		...box,
		...title,
		settings,
		position: isTight ? cleanText("") : place,
		focused,
		rows:
			tree === undefined || tree.rows.length === 0
				? noticeRows(...reason(state, tree), box)
				: visibleRows(state, tree, box),
	};
}

function visibleRows(state: State, tree: ShownTree, box: Box): RowView[] {
	const { width, height } = box;
	const { rows, session } = tree;
	const cursor = selectedTreeIndex(state, tree);
	const { details, top, filter, parsed, hits } = state.tree;
	const isFiltered = parsed.text !== "";
	const query = isFiltered || hits?.path !== session.path ? parsed : hits.query;
	const place = placeOf(session, state.environment.home);
	const isTurns = filter === "turns";
	const shared = {
		width,
		session,
		columns: rows.columns,
		place,
		details,
		isTurns,
		query,
		now: state.now,
		runs: selectRuns(state).lines,
		// A tree that shows its end need not know it.
		...(top < rows.firstRow && { digest: selectDigest(state) }),
	};
	const views: RowView[] = [];
	for (let number = top; number < Math.min(top + height, rows.length); number++) {
		const selected = number === cursor;
		const key = rows.at(number)?.key ?? "";
		const isHit = isFiltered || hits?.ids.includes(key) === true;
		const drawn = drawTreeRow(rows, number, { ...shared, selected, isHit });
		const isCopied = state.reader.copied?.entryIds.has(key) === true;
		views.push({ key, selected, ...drawn, ...(isCopied ? { ground: "match" } : {}) });
	}
	return views;
}

/** The rule below the pane has room for more words than its title. */
function position(state: State, tree: ShownTree, box: Box): string {
	return isLowest(state, box) ? longPosition(state, tree) : shortPosition(state, tree);
}

/** Whether the position is in the rule below the pane. */
function isLowest(state: State, { y, height }: Box): boolean {
	return layoutFor(state).bottom === y + height;
}

function reason(state: State, tree: ShownTree | undefined): readonly [string, Tone] {
	const { detail } = state;
	if (detail.status === "failed") return [detail.message, "error"];
	if (tree === undefined) return [detail.status === "none" ? "" : "Reading …", "muted"];
	if (tree.session.entries.length === 0) {
		const damage = tree.session.diagnostics.map((diagnostic) => diagnostic.message);
		return [
			damage.length === 0 ? "This session has no entries yet." : damage.join(" "),
			damage.length === 0 ? "muted" : "error",
		];
	}
	return [whyNoEntryMatches(state), "muted"];
}
