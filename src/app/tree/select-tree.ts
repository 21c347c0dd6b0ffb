import type { ParsedQuery } from "../../catalog/query/parse-query.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Detail, State, TreeFilter } from "../model/state.ts";
import { passesFilter } from "./entry-filter.ts";
import { type DrawnTree, growTree } from "./grow-tree.ts";
import { conversationLeaf } from "./leaf.ts";
import { matchesEntry } from "./match-entry.ts";
import { treeRows } from "./tree-rows.ts";
import { nearestVisible, visibleTree } from "./visible-tree.ts";

/** The opened session's tree as the pane shows it. */
export interface ShownTree extends DrawnTree {
	readonly session: Session;
	/** The filter as it was understood. */
	readonly query: ParsedQuery;
}

/** The session that the tree pane can show now: the one that was read, or its reading before while a new one is made. */
export function shownSession(detail: Detail): Session | undefined {
	return detail.status === "ready" || detail.status === "loading" ? detail.session : undefined;
}

/** Makes the tree from the state; the same state parts give the same object. */
export function selectTree(state: State): ShownTree | undefined {
	const session = shownSession(state.detail);
	if (session === undefined) return undefined;
	const { filter, query, parsed, matches, folded, pinned } = state.tree;
	const found = isLarge(session) ? (matches?.ids ?? EVERYTHING) : undefined;
	const { text } = query;
	return drawTree({ session, filter, text, parsed, found, pinned, home: state.environment.home, folded });
}

/** So many bytes are compared between two frames; a larger session is filtered outside. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** Whether filtering a session would keep the screen waiting. */
export function isLarge(session: Session): boolean {
	return session.size > LARGE_BYTES;
}

/** Until it is known what a filter lets through. */
const EVERYTHING: Pick<ReadonlySet<string>, "has"> = { has: () => true };

/** Place of the cursor in the rows: the selected entry or its nearest visible ancestor, else the leaf's, else the last. */
export function selectedTreeIndex(state: State, tree: ShownTree): number {
	const { session, visible, indexes, rows } = tree;
	const wanted = state.tree.selected ?? conversationLeaf(session);
	for (let id = wanted; id !== undefined; id = session.tree.parentOf.get(id)) {
		const near = nearestVisible(session, visible, id);
		const index = near === undefined ? undefined : indexes.get(near);
		if (index !== undefined) return index;
		if (near === undefined) break;
		id = near;
	}
	return rows.length - 1;
}

/** The entry under the cursor of the tree. */
export function selectedEntry(state: State): SessionEntry | undefined {
	const tree = selectTree(state);
	return tree?.rows[selectedTreeIndex(state, tree)]?.entry;
}

/** What a tree is drawn from. */
interface TreeInput {
	readonly session: Session;
	readonly filter: TreeFilter;
	readonly text: string;
	readonly parsed: ParsedQuery;
	readonly found: Pick<ReadonlySet<string>, "has"> | undefined;
	readonly pinned: string | undefined;
	readonly home: string;
	readonly folded: ReadonlySet<string>;
}

/** A tree that was drawn, and what it was drawn from. */
interface Drawing {
	readonly input: TreeInput;
	readonly tree: ShownTree;
	/** How many entries of the session have been drawn. */
	readonly entries: number;
	/** Some were added since all were drawn, so that the sizes of the entries above them are too small. */
	readonly isGrown: boolean;
}

/** What was drawn last. */
let last: Drawing | undefined;

/** Draws the tree, or what was appended to it, or nothing where all is as it was. */
function drawTree(input: TreeInput): ShownTree {
	const changed = last === undefined ? undefined : changedInputs(last.input, input).join();
	if (last === undefined || changed !== "") last = grow(last, changed, input) ?? drawAnew(last, changed, input);
	return last.tree;
}

/** Undefined where it is not so that the session has grown by entries that continue the last row. */
function grow(before: Drawing | undefined, changed: string | undefined, input: TreeInput): Drawing | undefined {
	const { session, text, folded, parsed } = input;
	const isSame = changed === "session" && before?.input.session.entries === session.entries;
	if (!isSame || text !== "" || folded.size > 0) return undefined;
	const isVisible = (entry: SessionEntry) => isShown(entry, input);
	if (!growTree(before.tree, session, before.entries, isVisible)) return undefined;
	const { visible, rows, indexes } = before.tree;
	const tree: ShownTree = { session, visible, rows, indexes, query: parsed };
	return { input, tree, entries: session.entries.length, isGrown: true };
}

function drawAnew(before: Drawing | undefined, changed: string | undefined, input: TreeInput): Drawing {
	const { session, folded, parsed } = input;
	const isFolding = changed === "folded" && before?.isGrown === false;
	const visible = isFolding ? before.tree.visible : visibleTree(session, (entry) => isShown(entry, input));
	const rows = treeRows(visible, folded);
	const indexes = new Map(rows.map(({ entry }, index) => [entry.id, index]));
	const tree: ShownTree = { session, visible, rows, indexes, query: parsed };
	return { input, tree, entries: session.entries.length, isGrown: false };
}

function changedInputs(before: TreeInput, now: TreeInput): string[] {
	return Object.entries(now)
		.filter(([name, value]) => before[name as keyof TreeInput] !== value)
		.map(([name]) => name);
}

function isShown(entry: SessionEntry, { session, filter, text, parsed, found, pinned, home }: TreeInput): boolean {
	if (entry.id === pinned && text === "") return true;
	if (!passesFilter(entry, session, filter)) return false;
	if (text === "") return true;
	if ("error" in parsed) return false;
	return found === undefined ? matchesEntry(entry, session, parsed.query, home) : found.has(entry.id);
}
