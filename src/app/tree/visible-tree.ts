import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
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

/** To compare an entry with a filter may take a good part of a frame (long-entries.ts). */
const ENTRIES_PER_FILTER_STEP = 8;

/** Makes the visible tree in time linear in the number of entries, without recursion, and in steps. */
export function* visibleTree(session: Session, isVisible: (entry: SessionEntry) => boolean): Steps<VisibleTree> {
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
	let step = 0;
	for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
		if (++step % ENTRIES_PER_FILTER_STEP === 0) yield;
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
	const sizes = yield* countSizes(preorder, parents);
	return { roots, children, parents, sizes, active: yield* pathOfLeaf(session) };
}

/** The nearest of an entry and its ancestors that is in the visible tree. */
export function nearestVisible(session: Session, visible: VisibleTree, id: string): string | undefined {
	for (let at: string | undefined = id; at !== undefined; at = session.tree.parentOf.get(at)) {
		if (visible.sizes.has(at)) return at;
	}
	return undefined;
}

function* countSizes(preorder: readonly string[], parents: ReadonlyMap<string, string>): Steps<Map<string, number>> {
	const sizes = new Map<string, number>();
	// Children come after their parents there, so from the end on each size is whole when it is added to its parent's.
	for (let index = preorder.length - 1; index >= 0; index--) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		const id = preorder[index] ?? "";
		const size = (sizes.get(id) ?? 0) + 1;
		sizes.set(id, size);
		const parent = parents.get(id);
		if (parent !== undefined) sizes.set(parent, (sizes.get(parent) ?? 0) + size);
	}
	return sizes;
}

function* pathOfLeaf({ tree }: Session): Steps<Set<string>> {
	const path = new Set<string>();
	for (let id = tree.leafId ?? undefined; id !== undefined && !path.has(id); id = tree.parentOf.get(id)) {
		path.add(id);
		if (path.size % ENTRIES_PER_STEP === 0) yield;
	}
	return path;
}
