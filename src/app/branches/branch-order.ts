import type { Branch, Branches } from "./branch.ts";

/** The orders of the branches, in the order in which a key goes through them. */
export const BRANCH_SORTS = ["time", "size", "cost", "place"] as const;
export type BranchSort = (typeof BRANCH_SORTS)[number];

/** How the orders are called in the title row. */
export const SORT_NAMES: Readonly<Record<BranchSort, string>> = {
	time: "time",
	size: "size",
	cost: "cost",
	place: "where they fork",
};

/** The branches in sight as a tree of their own: the parent of each is the nearest in sight of those that it left. */
export interface BranchTree {
	/** The branch that goes on from the trunk, if it is in sight. */
	readonly active: number | undefined;
	readonly trunk: number | undefined;
	/** What left the active path, by fork, the first to be drawn first. */
	readonly forks: readonly BranchFork[];
	/** The branches that left another abandoned one, by its index, in order. */
	readonly children: ReadonlyMap<number, readonly number[]>;
}

/** The branches that left the active path at one entry. */
export interface BranchFork {
	/** Index of the branch with the fork, the trunk or the active one; undefined where several roots are the fork. */
	readonly on: number | undefined;
	readonly forkAt: number;
	/** Index of a branch that left there: one of the heads, or one that is not shown and that they left. */
	readonly left: number;
	readonly heads: readonly number[];
}

/**
 * Orders the branches of which `isShown` is true. What left the same branch is ordered by the best of it and all that left
 * it in turn, so that the newest, largest or costliest end is always near the top, and each stays below what it left.
 */
export function orderBranches({ list }: Branches, sort: BranchSort, isShown: (branch: Branch) => boolean): BranchTree {
	const rank = rankOf(sort);
	const shown = list.map(isShown);
	const best = list.map((branch, index) => (shown[index] ? rank(branch) : Number.NEGATIVE_INFINITY));
	const children = new Map<number, number[]>();
	const forks = new Map<string, BranchFork & { readonly heads: number[]; best: number }>();
	// Children come after their parents, so from the end on each rank is whole when it is added to its parent's.
	for (let index = list.length - 1; index >= 0; index--) {
		const branch = list[index];
		const up = branch?.parent;
		if (branch?.kind === "abandoned" && up !== undefined && list[up]?.kind === "abandoned")
			best[up] = Math.max(best[up] ?? 0, best[index] ?? 0);
	}
	for (const [index, branch] of list.entries()) {
		if (branch.kind !== "abandoned" || !shown[index]) continue;
		const { left, parent } = leftBy(list, shown, index);
		if (parent !== undefined) {
			addTo(children, parent, index);
			continue;
		}
		const { parent: on, forkAt = 0 } = list[left] ?? {};
		const key = `${on} ${forkAt}`;
		const fork = forks.get(key) ?? { on, forkAt, left, heads: [], best: Number.NEGATIVE_INFINITY };
		fork.heads.push(index);
		fork.best = Math.max(fork.best, best[index] ?? 0);
		forks.set(key, fork);
	}
	const byRank = (a: number, b: number): number => (best[b] ?? 0) - (best[a] ?? 0) || b - a;
	for (const siblings of children.values()) siblings.sort(sort === "place" ? byPlace(list) : byRank);
	for (const { heads } of forks.values()) heads.sort(sort === "place" ? byPlace(list) : byRank);
	const place = (fork: BranchFork) => forkPlace(list, fork);
	const sorted = [...forks.values()].sort((a, b) =>
		sort === "place" ? place(b) - place(a) : b.best - a.best || place(b) - place(a),
	);
	const indexIn = (kind: Branch["kind"]): number | undefined => {
		const index = list.findIndex((branch, at) => branch.kind === kind && shown[at]);
		return index < 0 ? undefined : index;
	};
	return { active: indexIn("active"), trunk: indexIn("trunk"), forks: sorted, children };
}

function rankOf(sort: BranchSort): (branch: Branch) => number {
	switch (sort) {
		case "time":
			return ({ sum }) => sum.endMs ?? 0;
		case "cost":
			return ({ sum }) => sum.cost;
		default:
			return ({ entries }) => entries;
	}
}

/** The nearest branch in sight that a branch left, unless that is on the active path; and the one of its way that left that. */
function leftBy(
	list: readonly Branch[],
	shown: readonly boolean[],
	index: number,
): { readonly left: number; readonly parent: number | undefined } {
	let left = index;
	for (let up = list[left]?.parent; up !== undefined && list[up]?.kind === "abandoned"; up = list[left]?.parent) {
		if (shown[up]) return { left, parent: up };
		left = up;
	}
	return { left, parent: undefined };
}

/** The later forks of a branch come first, as the active path is drawn from its end. */
function byPlace(list: readonly Branch[]): (a: number, b: number) => number {
	const at = (index: number): number => list[index]?.forkAt ?? 0;
	return (a, b) => at(b) - at(a) || a - b;
}

/** How far down the active path a fork is. */
function forkPlace(list: readonly Branch[], { on, forkAt }: BranchFork): number {
	if (on === undefined) return -1;
	const branch = list[on];
	return branch?.kind === "active" && branch.parent !== undefined ? branch.forkAt + 1 + forkAt : forkAt;
}

function addTo(lists: Map<number, number[]>, key: number, value: number): void {
	const list = lists.get(key);
	if (list === undefined) lists.set(key, [value]);
	else list.push(value);
}
