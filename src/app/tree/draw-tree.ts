import type { Query } from "../../catalog/query/parse-query.ts";
import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { TreeFilter } from "../model/state.ts";
import { passesFilter } from "./entry-filter.ts";
import { type DrawnTree, growTree } from "./grow-tree.ts";
import { heldBefore } from "./long-entries.ts";
import { matchesEntry } from "./match-entry.ts";
import { treeRows } from "./tree-rows.ts";
import { visibleTree } from "./visible-tree.ts";

/** What a tree is drawn from. */
export interface TreeInput {
	readonly session: Session;
	readonly filter: TreeFilter;
	/** The filter. */
	readonly query: Query;
	/** Id of an entry that is shown whatever the filter is. */
	readonly pinned: string | undefined;
	readonly home: string;
	/** Ids of the folded entries. */
	readonly folded: ReadonlySet<string>;
}

/** A session's tree as the pane shows it. */
export interface ShownTree extends DrawnTree {
	readonly session: Session;
}

/** A tree that was drawn, and what it was drawn from. */
export interface Drawing {
	readonly input: TreeInput;
	readonly tree: ShownTree;
	/** How many entries of the session have been drawn. */
	readonly entries: number;
	/** Some were added since all were drawn, so that the sizes of the entries above them are too small. */
	readonly isGrown: boolean;
}

/** Draws all of a tree, in steps; `before`: the drawing before, of which the visible tree is used again while folding. */
export function* drawTree(input: TreeInput, before: Drawing | undefined): Steps<Drawing> {
	const { session, folded } = input;
	const isFolding = before?.isGrown === false && changedInputs(before.input, input) === "folded";
	const entries = isFolding ? before.entries : countEntries(session);
	const visible = isFolding ? before.tree.visible : yield* visibleTree(session, isDrawn(input));
	const rows = yield* treeRows(visible, folded);
	const indexes = new Map<string, number>();
	for (const [index, { entry }] of rows.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		indexes.set(entry.id, index);
	}
	return { input, tree: { session, visible, rows, indexes }, entries, isGrown: false };
}

/**
 * Adds what was appended to the session to a drawing, which must not be used any more, at once. Undefined where the session
 * has not just grown by entries that continue the last row: then all is to be drawn.
 */
export function growDrawing(before: Drawing | undefined, input: TreeInput): Drawing | undefined {
	const { session, query, folded } = input;
	if (!before || !hasOnlyGrown(before.input, input) || query.text !== "" || folded.size > 0) return undefined;
	const entries = countEntries(session);
	const appended = session.entries.slice(before.entries, entries);
	if (!growTree(before.tree, session, appended, (entry) => isShown(entry, input))) return undefined;
	const { visible, rows, indexes } = before.tree;
	const tree: ShownTree = { session, visible, rows, indexes };
	return { input, tree, entries, isGrown: true };
}

/** Whether two inputs give the same drawing. */
export function sameInput(before: TreeInput, now: TreeInput): boolean {
	return changedInputs(before, now) === "";
}

/** Whether nothing but entries that were appended to the session is new. */
export function hasOnlyGrown(before: TreeInput, now: TreeInput): boolean {
	// A session that has grown goes on with the entries of the one before.
	return changedInputs(before, now) === "session" && before.session.entries === now.session.entries;
}

function changedInputs(before: TreeInput, now: TreeInput): string {
	return Object.entries(now)
		.filter(([name, value]) => before[name as keyof TreeInput] !== value)
		.map(([name]) => name)
		.join();
}

/** How many entries the session has up to its leaf: its list of them may have grown with a later reading. */
function countEntries({ entries, tree }: Session): number {
	let count = entries.length;
	while (count > 0 && entries[count - 1]?.id !== tree.leafId) count -= 1;
	return count;
}

/** Entries that are appended while the others are being drawn are not among them. */
function isDrawn(input: TreeInput): (entry: SessionEntry) => boolean {
	const { lines, tree } = input.session;
	const last = lines.get(tree.leafId ?? "") ?? 0;
	return (entry) => (lines.get(entry.id) ?? 0) <= last && isShown(entry, input);
}

function isShown(entry: SessionEntry, { session, filter, query, pinned, home }: TreeInput): boolean {
	if (entry.id === pinned) return true;
	if (!passesFilter(entry, session, filter)) return false;
	return query.text === "" || (heldBefore(entry, query) ?? matchesEntry(entry, session, query, home));
}
