import type { ParsedQuery } from "../../catalog/query/parse-query.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { memoLast } from "../model/memo.ts";
import type { Detail, State, TreeFilter } from "../model/state.ts";
import { passesFilter } from "./entry-filter.ts";
import { conversationLeaf } from "./leaf.ts";
import { matchesEntry } from "./match-entry.ts";
import { type TreeRow, treeRows } from "./tree-rows.ts";
import { nearestVisible, type VisibleTree, visibleTree } from "./visible-tree.ts";

/** The opened session's tree as the pane shows it. */
export interface ShownTree {
	readonly session: Session;
	readonly visible: VisibleTree;
	readonly rows: readonly TreeRow[];
	/** Entry id → place in `rows`. */
	readonly indexes: ReadonlyMap<string, number>;
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
	return arrange(filterTree(session, filter, query.text, parsed, found, pinned, state.environment.home), folded);
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

const filterTree = memoLast(
	(
		session: Session,
		filter: TreeFilter,
		text: string,
		query: ParsedQuery,
		found: Pick<ReadonlySet<string>, "has"> | undefined,
		pinned: string | undefined,
		home: string,
	) => {
		const visible = visibleTree(session, (entry) => {
			if (entry.id === pinned && text === "") return true;
			if (!passesFilter(entry, session, filter)) return false;
			if (text === "") return true;
			if ("error" in query) return false;
			return found === undefined ? matchesEntry(entry, session, query.query, home) : found.has(entry.id);
		});
		return { session, visible, query };
	},
);

const arrange = memoLast((filtered: ReturnType<typeof filterTree>, folded: ReadonlySet<string>): ShownTree => {
	const rows = treeRows(filtered.visible, folded);
	return { ...filtered, rows, indexes: new Map(rows.map(({ entry }, index) => [entry.id, index])) };
});
