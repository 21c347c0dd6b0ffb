import type { Branch, Branches } from "./branch.ts";

export const BRANCH_SORTS = ["time", "size", "cost", "place"] as const;
export type BranchSort = (typeof BRANCH_SORTS)[number];

export const SORT_NAMES: Readonly<Record<BranchSort, string>> = {
	time: "newest",
	size: "largest",
	cost: "most expensive",
	place: "as they branch off",
};

/** The branches in the order in which they are drawn: what left the active path, and what left that in turn. */
export interface BranchTree {
	/** Index of the branch that ends with the leaf, and of what all of its tree begin with, if they are shown. */
	readonly active: number | undefined;
	readonly trunk: number | undefined;
	/** What left the active path, by fork. */
	readonly forks: readonly BranchFork[];
	/** The branches that left another abandoned one, by its index. */
	readonly children: ReadonlyMap<number, readonly number[]>;
}

/** The branches that left the active path at one entry. */
interface BranchFork {
	/** Index of a branch that left there: one of the heads, or, where that is not shown, one that these have left. */
	readonly left: number;
	readonly heads: readonly number[];
}

/**
 * Orders all branches. What left the same branch is ordered by the best of it and all that left it in turn, so that the
 * newest, largest or costliest end is always near the top, and each stays below what it left.
 */
export function orderBranches({ list }: Branches, sort: BranchSort): BranchTree {
	const ranks = Float64Array.from(list, (branch) => rankOf(branch, sort, list));
	if (sort !== "place") {
		// Children come after their parents, so from the end on each rank is whole when it is added to its parent's.
		for (let index = list.length - 1; index >= 0; index--) {
			const up = list[index]?.parent;
			if (up !== undefined) ranks[up] = Math.max(ranks[up] ?? 0, ranks[index] ?? 0);
		}
	}
	const later = sort === "place" ? 1 : -1;
	const order = Uint32Array.from(list.keys()).sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || (a - b) * later);
	const children = new Map<number, number[]>();
	const forks = new Map<number, { readonly left: number; readonly heads: number[] }>();
	for (const index of order) {
		const branch = list[index];
		if (branch?.kind !== "abandoned") continue;
		const { parent } = branch;
		if (parent !== undefined && list[parent]?.kind === "abandoned") addTo(children, parent, index);
		else {
			const place = placeOnActive(branch, list);
			const fork = forks.get(place);
			if (fork === undefined) forks.set(place, { left: index, heads: [index] });
			else fork.heads.push(index);
		}
	}
	return { active: indexOf(list, "active"), trunk: indexOf(list, "trunk"), forks: [...forks.values()], children };
}

/** The tree with only those that are shown; what left one that is not stands in its place. */
export function filterTree(tree: BranchTree, isShown: (index: number) => boolean): BranchTree {
	const children = new Map<number, readonly number[]>();
	/** The nearest that are shown, of these and of all that left them. */
	const shownOf = (siblings: readonly number[]): number[] => {
		const nearest: number[] = [];
		const stack = siblings.toReversed();
		for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
			if (isShown(index)) nearest.push(index);
			else for (const child of tree.children.get(index)?.toReversed() ?? []) stack.push(child);
		}
		return nearest;
	};
	const forks: BranchFork[] = [];
	const open: number[] = [];
	for (const { left, heads } of tree.forks) {
		const shownHeads = shownOf(heads);
		if (shownHeads.length === 0) continue;
		forks.push({ left, heads: shownHeads });
		for (const head of shownHeads) open.push(head);
	}
	for (let index = open.pop(); index !== undefined; index = open.pop()) {
		const shownChildren = shownOf(tree.children.get(index) ?? []);
		if (shownChildren.length > 0) children.set(index, shownChildren);
		for (const child of shownChildren) open.push(child);
	}
	const ifShown = (index: number | undefined) => (index !== undefined && isShown(index) ? index : undefined);
	return { active: ifShown(tree.active), trunk: ifShown(tree.trunk), forks, children };
}

function rankOf(branch: Branch, sort: BranchSort, list: readonly Branch[]): number {
	switch (sort) {
		case "time":
			return branch.sum.endMs ?? 0;
		case "cost":
			return branch.sum.cost;
		case "size":
			return branch.entries;
		case "place":
			return placeOnActive(branch, list);
	}
}

/** How far down the active path, or the branch that it left, a branch begins. */
function placeOnActive({ parent, forkAt }: Branch, list: readonly Branch[]): number {
	if (parent === undefined) return -1;
	const above = list[parent];
	const trunk = above?.kind === "active" && above.parent !== undefined ? list[above.parent] : undefined;
	return forkAt + (trunk?.path.length ?? 0);
}

function indexOf(list: readonly Branch[], kind: Branch["kind"]): number | undefined {
	const index = list.findIndex((branch) => branch.kind === kind);
	return index < 0 ? undefined : index;
}

function addTo(lists: Map<number, number[]>, key: number, value: number): void {
	const list = lists.get(key);
	if (list === undefined) lists.set(key, [value]);
	else list.push(value);
}
