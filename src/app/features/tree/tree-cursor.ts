import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { isBeside, isForked, sizeAt } from "../../../conversation/entries/outline-columns.ts";
import { runGroupKey } from "../../../conversation/entries/place-runs.ts";
import { firstLabeled } from "../../../conversation/tree/draw-marks.ts";
import { ALL_BRANCHES, type ShownTree } from "../../../conversation/tree/draw-tree.ts";
import { CODES, FAILED, subtreeSums } from "../../../conversation/tree/entry-columns.ts";
import type { RowKind, TreeRows } from "../../../conversation/tree/tree-rows.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import { selectedTreeIndex, selectTree } from "../../world/opened/select-tree.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import { placedAt } from "../../world/state/opened-state.ts";
import { type State, say } from "../../world/state/state.ts";

/**
 * Puts the tree's cursor on an entry and shows its text from the start. On the leaf, the cursor follows the conversation as it
 * grows.
 */
function selectEntry(state: State, id: string | undefined): State {
	const tree = selectTree(state);
	if (id === undefined || tree === undefined || id === tree.rows.at(selectedTreeIndex(state, tree))?.key) return state;
	const selected = id === conversationLeaf(tree.session) ? undefined : id;
	return { ...state, reader: placedAt(state.reader, id), tree: { ...state.tree, selected } };
}

/** Moves the cursor, not past the first or last row. */
export function moveInTree(state: State, distance: Distance): State {
	const tree = selectTree(state);
	if (tree === undefined) return state;
	const box = layoutFor(state).tree;
	const height = box === undefined ? 1 : box.height;
	const from = selectedTreeIndex(state, tree);
	const to = target(from, distance, height, tree.rows.length);
	return selectEntry(state, tree.rows.at(selectableRow(tree.rows, to, to < from ? -1 : 1))?.key);
}

/** The nearest selectable row from this one on in direction `by`, else in the other direction. */
function selectableRow(rows: TreeRows, row: number, by: 1 | -1): number {
	const from = (direction: 1 | -1): number => {
		let at = row;
		while (at >= 0 && at < rows.length && !rows.isSelectable(at)) at += direction;
		return at;
	};
	return rows.isSelectable(from(by)) ? from(by) : from(by === 1 ? -1 : 1);
}

export type JumpTarget = "prompt" | "error" | "label" | "fork";

export function jump(state: State, target: JumpTarget, by: 1 | -1): State {
	const tree = selectTree(state);
	if (tree === undefined) return state;
	const isTarget = targetTest(tree, target);
	const { rows } = tree;
	for (let row = selectedTreeIndex(state, tree) + by; row >= 0 && row < rows.length; row += by) {
		const kind = rows.kindAt(row);
		if (!rows.isSelectable(row) || kind === "damage" || kind === "run" || kind === "runs") continue;
		if (isTarget(rows.subjectAt(row), kind === "folded", row)) return selectEntry(state, rows.at(row)?.key);
	}
	return say(state, `There is no ${target} further ${by === 1 ? "down" : "up"}`, "muted");
}

function targetTest(tree: ShownTree, target: JumpTarget): (index: number, isFolded: boolean, row: number) => boolean {
	const { columns } = tree.rows;
	switch (target) {
		case "prompt":
			return (index, isFolded) => !isFolded && columns.kind[index] === CODES.prompt;
		case "error":
			return (index, isFolded) =>
				isFolded ? subtreeSums(columns, index).errors > 0 : ((columns.flags[index] ?? 0) & FAILED) !== 0;
		case "label":
			return (index, isFolded) => {
				const from = columns.outline.place[index] ?? 0;
				const to = isFolded ? from + sizeAt(columns.outline, index) : from + 1;
				return firstLabeled(tree.session, columns, from, to) !== undefined;
			};
		case "fork":
			return (_index, isFolded, row) => isFolded || tree.rows.kindAt(row) === "opened";
	}
}

interface Cursor {
	readonly tree: ShownTree;
	readonly kind: RowKind;
	readonly index: number;
}

/**
 * Folds the branch that begins under the cursor; elsewhere, goes up to the start of the line or the fork above (pi's
 * foldOrUp). Only branches beside another line fold, so going up leaves no trail of folds.
 */
export function foldOrUp(state: State): State {
	const cursor = cursorOf(state);
	if (cursor === undefined) return state;
	if (cursor.kind === "opened" || isInOpenRuns(state, cursor)) return fold(state, cursor);
	return goTo(state, cursor.tree, forkAbove(cursor));
}

/** Opens the branch under the cursor; elsewhere, goes down to the next fork on the line, or to its end (pi's unfoldOrDown). */
export function unfoldOrDown(state: State): State {
	const cursor = cursorOf(state);
	if (cursor === undefined) return state;
	if (isClosed(state, cursor)) return unfold(state, cursor);
	return goTo(state, cursor.tree, forkBelow(cursor));
}

export function toggleBranch(state: State): State {
	const cursor = cursorOf(state);
	if (cursor === undefined) return state;
	return isClosed(state, cursor) ? unfold(state, cursor) : fold(state, cursor);
}

export function whyNoBranch(state: State): string | undefined {
	const cursor = cursorOf(state);
	if (cursor?.kind === "runs") return undefined;
	const isOnBranch = cursor !== undefined && (cursor.tree.rows.columns.outline.depth[cursor.index] ?? 0) > 0;
	return isOnBranch ? undefined : "There is no branch to fold here: ⊞ marks folded branches";
}

export function toggleAllBranches(state: State): State {
	const tree = selectTree(state);
	if (tree === undefined) return state;
	const all = new Set([ALL_BRANCHES]);
	const none = new Set<string>();
	const areOpen = tree.rows.foldedBranches === 0;
	return withFolds(state, areOpen ? none : all, areOpen ? all : none);
}

function cursorOf(state: State): Cursor | undefined {
	const tree = selectTree(state);
	if (tree === undefined) return undefined;
	const row = selectedTreeIndex(state, tree);
	const kind = tree.rows.kindAt(row);
	return kind === undefined || kind === "damage" ? undefined : { tree, kind, index: tree.rows.subjectAt(row) };
}

function fold(state: State, cursor: Cursor): State {
	const id = branchOf(cursor);
	if (id === undefined) return state;
	const { opened, folded } = state.tree;
	const next = withFolds(state, opened.difference(new Set([id])), folded.union(new Set([id])));
	return { ...next, tree: { ...next.tree, selected: id, pinned: undefined } };
}

function unfold(state: State, cursor: Cursor): State {
	const id = branchOf(cursor);
	if (id === undefined) return state;
	const { opened, folded } = state.tree;
	return withFolds(state, opened.union(new Set([id])), folded.difference(new Set([id])));
}

function withFolds(state: State, opened: ReadonlySet<string>, folded: ReadonlySet<string>): State {
	return { ...state, tree: { ...state.tree, opened, folded } };
}

/** Whether the cursor is on what opens: a folded branch, or the runs of a step that has many. */
function isClosed({ tree: { opened } }: State, cursor: Cursor): boolean {
	return cursor.kind === "folded" || (cursor.kind === "runs" && !opened.has(groupOf(cursor)));
}

/** Whether the cursor is on one of many runs, or on the row of them all while they are open. */
function isInOpenRuns({ tree: { opened } }: State, cursor: Cursor): boolean {
	return (cursor.kind === "runs" || cursor.kind === "run") && opened.has(groupOf(cursor));
}

function groupOf({ tree, index }: Cursor): string {
	return runGroupKey(tree.session.entries[index]?.id ?? "");
}

/** Id of the first entry of the branch that the cursor is on, or what stands for the runs; undefined on the main line. */
function branchOf(cursor: Cursor): string | undefined {
	const { tree, index, kind } = cursor;
	const hasGroup = kind === "runs" || (kind === "run" && tree.rows.indexOf(groupOf(cursor)) !== -1);
	if (hasGroup) return groupOf(cursor);
	const { outline } = tree.rows.columns;
	let at = index;
	while (at !== -1 && !isBeside(outline, at)) at = outline.table.parent[at] ?? -1;
	return tree.session.entries[at]?.id;
}

function goTo(state: State, { session }: ShownTree, index: number): State {
	return selectEntry(state, session.entries[index]?.id);
}

/** The nearest entry above that is a root or one of several siblings, and has a row. */
function forkAbove({ tree: { rows }, index }: Cursor): number {
	const { outline } = rows.columns;
	let landing = index;
	for (let at = outline.table.parent[index] ?? -1; at !== -1; at = outline.table.parent[at] ?? -1) {
		if (rows.rowOf(at) === -1) continue;
		landing = at;
		if (isForked(outline, at)) break;
	}
	return landing;
}

/** The first entry with a row at or below the next fork of the line, else the last one of the line. */
function forkBelow({ tree: { rows }, index }: Cursor): number {
	const { outline } = rows.columns;
	let landing = index;
	let isBelow = false;
	for (let at = outline.main[index] ?? -1; at !== -1; at = outline.main[at] ?? -1) {
		isBelow ||= isForked(outline, at);
		if (rows.rowOf(at) === -1) continue;
		landing = at;
		if (isBelow) break;
	}
	return landing;
}
