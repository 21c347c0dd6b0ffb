import { inner } from "../model/layout.ts";
import type { State } from "../model/state.ts";
import type { Box, PaneView, RowView, Tone } from "../model/view.ts";
import { formatCount } from "../text/format.ts";
import { cleanText } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { wrapText } from "../text/wrap.ts";
import { drawEntryRow } from "../tree/draw-entry.ts";
import type { ShownTree } from "../tree/draw-tree.ts";
import { selectedTreeIndex, selectTree } from "../tree/select-tree.ts";
import { treeNotes } from "./filter-notes.ts";
import { filterTitle, paneName } from "./filter-title.ts";
import { whyNoEntryMatches } from "./nothing-found.ts";
import { titleRoom } from "./title-rule.ts";

/** The tree of the session under the list's cursor, the rows in sight. */
export function selectTreePane(state: State, box: Box): PaneView {
	const tree = selectTree(state);
	const focused = state.focus === "tree";
	const place = cleanText(tree === undefined ? "" : position(state, tree));
	const typed = {
		name: paneName("tree", focused),
		query: state.tree.query,
		hint: "type to filter",
		notes: treeNotes(state),
		focused,
	};
	return {
		id: "tree",
		...box,
		...filterTitle(typed, titleRoom(box, place)),
		settings: [],
		position: place,
		focused,
		rows: tree === undefined || tree.rows.length === 0 ? noTree(state, tree, box) : visibleRows(state, tree, box),
	};
}

function visibleRows(state: State, tree: ShownTree, box: Box): RowView[] {
	const { width, height } = inner(box);
	const cursor = selectedTreeIndex(state, tree);
	const { labelTimes, top } = state.tree;
	const { session } = tree;
	return tree.rows.slice(top, top + height).map((row, index) => {
		const selected = top + index === cursor;
		const drawing = { width, selected, session, labelTimes, home: state.environment.home, now: state.now };
		return { key: row.entry.id, line: drawEntryRow(row, drawing), selected };
	});
}

/** Cursor and number of rows, as "12/340", with the number of all entries when a filter hides some. */
function position(state: State, tree: ShownTree): string {
	const { filter } = state.tree;
	const all = tree.session.entries.length;
	const shown = tree.visible.sizes.size;
	const filtered = shown === all ? "" : ` of ${formatCount(all)}`;
	const name = filter === "default" ? "" : ` [${filter}]`;
	return `${formatCount(selectedTreeIndex(state, tree) + 1)}/${formatCount(tree.rows.length)}${filtered}${name}`;
}

function noTree(state: State, tree: ShownTree | undefined, box: Box): RowView[] {
	const { width, height } = inner(box);
	const [text, tone] = reason(state, tree);
	return wrapText(text, width - 2)
		.slice(0, height)
		.map((line, index) => ({ key: String(index), line: [span(` ${line}`, tone)], selected: false }));
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
