import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { TreeRow } from "./tree-rows.ts";
import { nearestVisible, type VisibleTree } from "./visible-tree.ts";

/** A visible tree and its rows, nothing folded. */
export interface DrawnTree {
	readonly visible: VisibleTree;
	readonly rows: readonly TreeRow[];
	/** Entry id → index in `rows`. */
	readonly indexes: ReadonlyMap<string, number>;
}

/**
 * Draws what was appended to a session below what is drawn, in a time that does not depend on the session's size: the parts
 * of the tree are extended, not copied. False where an entry does not simply continue the last row; then the tree must be
 * drawn anew.
 */
export function growTree(
	drawn: DrawnTree,
	session: Session,
	appended: readonly SessionEntry[],
	isVisible: (entry: SessionEntry) => boolean,
): boolean {
	if (appended.length === 0) return true;
	const leaf = appended[0]?.parentId ?? null;
	if (leaf === null || !drawn.visible.active.has(leaf) || session.tree.children.get(leaf)?.length !== 1) return false;
	let above = leaf;
	for (const { id, parentId, type } of appended) {
		// A label changes what other filters show of another entry.
		if (parentId !== above || type === "label") return false;
		above = id;
	}
	// The last row of the path to the leaf is not the last of all where other branches hang below it.
	const last = drawn.rows.at(-1);
	if (nearestVisible(session, drawn.visible, leaf) !== last?.entry.id) return false;
	// It may have been shown only because it was the leaf.
	if (last && !isVisible(last.entry) && !removeLast(drawn)) return false;
	return appended.every((entry) => addEntry(drawn, session, entry, isVisible(entry)));
}

function removeLast({ visible, rows, indexes }: DrawnTree): boolean {
	const last = rows.at(-1)?.entry.id;
	const parent = last === undefined ? undefined : visible.parents.get(last);
	if (last === undefined || parent === undefined || visible.children.get(parent)?.length !== 1) return false;
	const above = rows.at(-2);
	if (above?.entry.id !== parent) return false;
	const { children, parents, sizes } = mutable(visible);
	children.delete(parent);
	parents.delete(last);
	sizes.delete(last);
	mutableRows(rows).pop();
	mutableIndexes(indexes).delete(last);
	return true;
}

function addEntry(
	{ visible, rows, indexes }: DrawnTree,
	session: Session,
	entry: SessionEntry,
	isShown: boolean,
): boolean {
	const { children, parents, sizes, active } = mutable(visible);
	active.add(entry.id);
	if (!isShown) return true;
	const above = rows.at(-1);
	const parent = entry.parentId === null ? undefined : nearestVisible(session, visible, entry.parentId);
	if (above === undefined || above.entry.id !== parent || !above.active || children.has(parent)) return false;
	// The first of several roots has no line above it.
	if (above.prefix !== "") return false;
	children.set(parent, [entry]);
	parents.set(entry.id, parent);
	sizes.set(entry.id, 1);
	// The active path is never indented.
	mutableIndexes(indexes).set(entry.id, rows.length);
	mutableRows(rows).push({ entry, prefix: "", active: true, hidden: 0, foldedOnLine: false });
	return true;
}

/** The parts of a tree that was drawn here, and is read-only only for others. */
function mutable(visible: VisibleTree) {
	return visible as unknown as {
		children: Map<string, SessionEntry[]>;
		parents: Map<string, string>;
		sizes: Map<string, number>;
		active: Set<string>;
	};
}

function mutableRows(rows: readonly TreeRow[]): TreeRow[] {
	return rows as TreeRow[];
}

function mutableIndexes(indexes: ReadonlyMap<string, number>): Map<string, number> {
	return indexes as Map<string, number>;
}
