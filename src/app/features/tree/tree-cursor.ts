import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { isForked, sizeAt } from "../../../conversation/entries/outline-columns.ts";
import { runGroupKey } from "../../../conversation/entries/place-runs.ts";
import { firstLabeled } from "../../../conversation/tree/draw-marks.ts";
import { ALL_BRANCHES, type ShownTree } from "../../../conversation/tree/draw-tree.ts";
import { CODES } from "../../../conversation/tree/entry-columns.ts";
import { filterOf } from "../../../conversation/tree/shown-entries.ts";
import {
	DIGEST_KEY,
	digestRowOf,
	PREAMBLE_KEY,
	type RowKind,
	type TreeRows,
} from "../../../conversation/tree/tree-rows.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { digestEntryOf } from "../../world/opened/select-digest.ts";
import { atEntry, selectedTreeIndex, selectTree } from "../../world/opened/select-tree.ts";
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
	const readId = digestRowOf(id) === undefined ? id : digestEntryOf(state, id);
	const reader = readId === undefined ? state.reader : placedAt(state.reader, readId);
	return { ...state, reader, tree: { ...state.tree, selected } };
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

/** Rows that no key jumps to. */
const BESIDE_ENTRIES: ReadonlySet<RowKind> = new Set(["damage", "run", "runs", "digest"]);
/** Of these, the last one is followed by the first one. */
const WRAPS: ReadonlySet<JumpTarget> = new Set<JumpTarget>(["error", "label"]);

export function jump(state: State, target: JumpTarget, by: 1 | -1): State {
	const tree = selectTree(state);
	if (tree === undefined) return state;
	const { rows } = tree;
	const isTarget = targetTest(tree, target);
	const isAt = (row: number): boolean => {
		const kind = rows.kindAt(row);
		if (!rows.isSelectable(row) || kind === undefined || BESIDE_ENTRIES.has(kind)) return false;
		return isTarget(rows.subjectAt(row), kind === "folded", row);
	};
	const from = selectedTreeIndex(state, tree);
	const rowsLeft = by === 1 ? rows.length - 1 - from : from;
	const steps = WRAPS.has(target) ? rows.length : rowsLeft;
	for (let step = 1; step <= steps; step++) {
		const row = (from + step * by + rows.length) % rows.length;
		if (!isAt(row)) continue;
		const next = selectEntry(state, rows.at(row)?.key);
		const note = rows.kindAt(row) === "folded" ? elsewhereNote(tree, target, isTarget) : undefined;
		if (note !== undefined) return say(next, note, "muted");
		if (row === from) return say(next, `This is the only ${target} here`, "muted");
		return step <= rowsLeft ? next : say(next, `The ${by === 1 ? "first" : "last"} ${target} again`, "muted");
	}
	if (!WRAPS.has(target)) return say(state, `There is no ${target} further ${by === 1 ? "down" : "up"}`, "muted");
	const { all } = countTargets(tree, isTarget);
	const text =
		all === 0 ? `There is no ${target} in this session` : `No ${target} here: the filter hides ${formatCount(all)}`;
	return say(state, text, "muted");
}

/** "No error on this path, 1 on a branch", where the active path has none. */
function elsewhereNote(tree: ShownTree, target: JumpTarget, isTarget: IsTarget): string | undefined {
	if (!WRAPS.has(target)) return undefined;
	const { all, onPath } = countTargets(tree, isTarget);
	if (onPath > 0) return undefined;
	return `No ${target} on this path, ${formatCount(all)} on ${all === 1 ? "a branch" : "branches"}`;
}

/** How many entries of the session a key jumps to, all of them and those on the active path. */
function countTargets({ rows }: ShownTree, isTarget: IsTarget): { readonly all: number; readonly onPath: number } {
	const { outline } = rows.columns;
	const indexes = [...Array(outline.count).keys()].filter((index) => isTarget(index, false, -1));
	return { all: indexes.length, onPath: indexes.filter((index) => outline.active[index] === 1).length };
}

type IsTarget = (index: number, isFolded: boolean, row: number) => boolean;

function targetTest(tree: ShownTree, target: JumpTarget): IsTarget {
	const { columns } = tree.rows;
	switch (target) {
		case "prompt":
			return (index, isFolded) => !isFolded && columns.kind[index] === CODES.prompt;
		case "error": {
			const isFailed = filterOf(columns, tree.session, "errors", tree.rows.runs);
			return (index, isFolded) => (isFolded ? tree.rows.sumsBelow(index).errors > 0 : isFailed(index));
		}
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

/** What stands, among what is open, for the preamble or the digest that the cursor is on. */
export function partUnderCursor(state: State): string | undefined {
	const tree = selectTree(state);
	const row = tree === undefined ? -1 : selectedTreeIndex(state, tree);
	if (tree?.rows.kindAt(row) === "digest") return DIGEST_KEY;
	return tree?.rows.isPreamble(row) === true ? PREAMBLE_KEY : undefined;
}

/** Goes to the entry that a row of the digest is about; a folded one is opened. */
export function goFromDigest(state: State): State {
	const { selected = "", opened } = state.tree;
	if (!opened.has(DIGEST_KEY)) return toggleBranch(state);
	const id = digestEntryOf(state, selected);
	return id === undefined ? say(state, "There is nothing to go to", "muted") : atEntry(state, id);
}

export function toggleBranch(state: State): State {
	const part = partUnderCursor(state);
	if (part !== undefined) {
		const opened = state.tree.opened.symmetricDifference(new Set([part]));
		const selected = part === DIGEST_KEY ? DIGEST_KEY : state.tree.selected;
		return withFolds({ ...state, tree: { ...state.tree, selected } }, opened, state.tree.folded);
	}
	const cursor = cursorOf(state);
	if (cursor === undefined) return state;
	return isClosed(state, cursor) ? unfold(state, cursor) : fold(state, cursor);
}

/** Whether the branch or the part under the cursor is unfolded. */
export function isUnfolded(state: State): boolean {
	const part = partUnderCursor(state);
	if (part !== undefined) return state.tree.opened.has(part);
	const cursor = cursorOf(state);
	return cursor !== undefined && !isClosed(state, cursor);
}

export function whyNoBranch(state: State): string | undefined {
	const cursor = cursorOf(state);
	const isOnBranch = cursor !== undefined && branchOf(cursor) !== undefined;
	return isOnBranch || partUnderCursor(state) !== undefined
		? undefined
		: "There is no branch to fold here: ⊞ marks folded branches";
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
	// The digest is above the first row, from where keys go on.
	const row = Math.max(selectedTreeIndex(state, tree), tree.rows.firstRow);
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
	while (at !== -1 && !tree.rows.beginsBranch(at)) at = outline.table.parent[at] ?? -1;
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
