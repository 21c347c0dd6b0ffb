import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";

/** The entries that a filter lets through, as a tree of their own: the parent of each is its nearest visible ancestor. */
export interface VisibleTree {
	readonly roots: readonly SessionEntry[];
	/** Visible children by id; entries without any are absent. */
	readonly children: ReadonlyMap<string, readonly SessionEntry[]>;
	/** Visible parent by id; roots are absent. */
	readonly parents: ReadonlyMap<string, string>;
	/** Entries in the visible subtree, itself included, by id. */
	readonly sizes: ReadonlyMap<string, number>;
	/** Ids on the path from the leaf to its root, hidden ones included. */
	readonly active: ReadonlySet<string>;
}

/** The visible tree, in time linear in the number of entries and without recursion. */
export function visibleTree(session: Session, isVisible: (entry: SessionEntry) => boolean): VisibleTree {
	const { tree } = session;
	const roots: SessionEntry[] = [];
	const children = new Map<string, SessionEntry[]>();
	const parents = new Map<string, string>();
	const preorder: string[] = [];
	const stack: { readonly entry: SessionEntry; readonly above: string | undefined }[] = [];
	const push = (entries: readonly SessionEntry[], above: string | undefined) => {
		for (const entry of entries.toReversed()) stack.push({ entry, above });
	};
	push(tree.roots, undefined);
	for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
		const { entry, above } = top;
		const visible = isVisible(entry);
		if (visible) {
			preorder.push(entry.id);
			if (above === undefined) roots.push(entry);
			else {
				parents.set(entry.id, above);
				const siblings = children.get(above);
				if (siblings === undefined) children.set(above, [entry]);
				else siblings.push(entry);
			}
		}
		push(tree.children.get(entry.id) ?? [], visible ? entry.id : above);
	}
	return { roots, children, parents, sizes: countSizes(preorder, parents), active: pathOfLeaf(session) };
}

/** The nearest of an entry and its ancestors that is in the visible tree. */
export function nearestVisible(session: Session, visible: VisibleTree, id: string): string | undefined {
	for (let at: string | undefined = id; at !== undefined; at = session.tree.parentOf.get(at)) {
		if (visible.sizes.has(at)) return at;
	}
	return undefined;
}

function countSizes(preorder: readonly string[], parents: ReadonlyMap<string, string>): Map<string, number> {
	const sizes = new Map(preorder.map((id) => [id, 1]));
	for (const id of preorder.toReversed()) {
		const parent = parents.get(id);
		if (parent !== undefined) sizes.set(parent, (sizes.get(parent) ?? 0) + (sizes.get(id) ?? 0));
	}
	return sizes;
}

function pathOfLeaf({ tree }: Session): Set<string> {
	const path = new Set<string>();
	for (let id = tree.leafId ?? undefined; id !== undefined && !path.has(id); id = tree.parentOf.get(id)) path.add(id);
	return path;
}
