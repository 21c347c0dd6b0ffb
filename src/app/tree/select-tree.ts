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
	/** Entry id → index in `rows`. */
	readonly indexes: ReadonlyMap<string, number>;
	/** The typed filter, parsed. */
	readonly query: ParsedQuery;
}

/** The session that the tree pane can show now: as it was read last, also while it is being read again. */
export function shownSession(detail: Detail): Session | undefined {
	return detail.status === "ready" || detail.status === "loading" ? detail.session : undefined;
}

/** The tree for a state; the same object as long as the parts of the state that it shows stay the same. */
export function selectTree(state: State): ShownTree | undefined {
	const session = shownSession(state.detail);
	if (session === undefined) return undefined;
	const { filter, query, parsed, matches, folded, pinned } = state.tree;
	const found = isLarge(session) ? (matches?.ids ?? EVERYTHING) : undefined;
	return arrange(filterTree(session, filter, query.text, parsed, found, pinned, state.environment.home), folded);
}

/** The most that can be filtered between two frames; a larger session is filtered outside of `update`. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** Whether filtering a session would delay the screen. */
export function isLarge(session: Session): boolean {
	return session.size > LARGE_BYTES;
}

/** Shown until it is known what a filter lets through. */
const EVERYTHING: Pick<ReadonlySet<string>, "has"> = { has: () => true };

/** Index of the row under the cursor: the selected entry or its nearest visible ancestor, else the leaf's, else the last. */
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
