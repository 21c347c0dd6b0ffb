import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { Session } from "../../store/read/read-session.ts";
import { outlineSteps } from "../entries/outline.ts";
import type { OutlineColumns } from "../entries/outline-columns.ts";
import type { Place } from "../entries/place.ts";
import { addEntry } from "../entries/turn-sum.ts";
import type { Branch, Branches } from "./branch.ts";
import { addToPath, type Draft, finishDraft, newDraft, reopen } from "./draft.ts";

interface Start {
	/** Index of its first entry. */
	readonly entry: number;
	readonly parent: number | undefined;
	readonly forkAt: number;
	readonly before: string | undefined;
}

interface Gathering {
	readonly session: Session;
	readonly place: Place;
	readonly tree: WeighedTree;
	readonly drafts: Draft[];
	readonly starts: Start[];
	hasOneRoot: boolean;
	forks: number;
	/** Entries that have been walked, on any branch: most branches are short. */
	walked: number;
}

/** An entry may be an edit of many lines, and the sum counts those that changed. */
const WALKED_PER_STEP = 32;

export function* gatherBranches(session: Session, place: Place): Steps<Branches> {
	const tree = yield* weighEntries(session);
	const gathering: Gathering = {
		session,
		place,
		tree,
		drafts: [],
		starts: [],
		hasOneRoot: true,
		forks: 0,
		walked: 0,
	};
	startAtRoots(gathering);
	for (let start = gathering.starts.pop(); start !== undefined; start = gathering.starts.pop()) {
		yield* walkBranch(gathering, start);
	}
	const list: Branch[] = [];
	const indexes = new Map<string, number>();
	for (const draft of gathering.drafts) {
		const branch = finishDraft(draft);
		indexes.set(branch.id, list.length);
		list.push(branch);
		if (list.length % WALKED_PER_STEP === 0) yield;
	}
	const { forks } = gathering;
	const ends = list.filter(({ kind }) => kind !== "trunk").length;
	return { session, entries: tree.count, list, indexes, forks, ends };
}

/** Several roots are ways from one fork that nothing stands before; the main one is walked first. */
function startAtRoots(gathering: Gathering): void {
	const { tree, starts } = gathering;
	for (const entry of [...tree.others(undefined), ...(tree.root === undefined ? [] : [tree.root])]) {
		starts.push({ entry, parent: undefined, forkAt: 0, before: undefined });
	}
	gathering.hasOneRoot = starts.length === 1;
	if (starts.length > 1) gathering.forks += 1;
}

/** Walks a branch to its end; the branches that leave it are walked later. */
function* walkBranch(gathering: Gathering, start: Start): Steps<void> {
	const { session, tree, drafts, starts } = gathering;
	let draft = newDraft(start, tree.isActive(start.entry) ? "active" : "abandoned");
	let index = drafts.push(draft) - 1;
	if (start.entry === tree.root) yield* addBookkeeping(gathering, draft, undefined);
	for (let at: number | undefined = start.entry; at !== undefined; ) {
		if (++gathering.walked % WALKED_PER_STEP === 0) yield;
		const entry = session.entries[at];
		if (entry === undefined) return;
		addToPath(draft, entry, session, gathering.place);
		yield* addBookkeeping(gathering, draft, at);
		const next = tree.next(at);
		const forkAt = draft.path.length - 1;
		const promptBefore = draft.lastPrompt ?? draft.firstPrompt ?? draft.before;
		// The conversation goes on at the leaf, even where somebody went on from there before.
		const isLeaf = entry.id === session.tree.leafId && next !== undefined;
		const otherChildren = isLeaf ? [next, ...tree.others(at)] : tree.others(at);
		for (const other of otherChildren) starts.push({ entry: other, parent: index, forkAt, before: promptBefore });
		if (otherChildren.length > 0) gathering.forks += 1;
		if (isLeaf) return;
		const isTrunk = gathering.hasOneRoot && draft.kind === "active" && draft.parent === undefined;
		if (otherChildren.length > 0 && next !== undefined && isTrunk) {
			draft.kind = "trunk";
			draft = newDraft({ parent: index, forkAt, before: promptBefore }, "active");
			index = drafts.push(draft) - 1;
		}
		at = next;
	}
}

/**
 * Adds bookkeeping beside the path, such as a label that was set after going back. Its usage is not in the sum of the active path,
 * which is the same here as in the header.
 */
function* addBookkeeping({ session, place, tree }: Gathering, draft: Draft, index: number | undefined): Steps<void> {
	const stack = [...tree.bookkeeping(index)];
	for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
		const entry = session.entries[at];
		if (entry === undefined) continue;
		if (draft.kind === "abandoned") addEntry(draft.sum, entry, session, place);
		draft.entries += 1;
		if (draft.entries % WALKED_PER_STEP === 0) yield;
		for (const child of tree.bookkeeping(at)) stack.push(child);
	}
}

/**
 * The branches with what was appended to the session, in a time that does not depend on how many there are of its entries.
 * Undefined where it does not just go on from the leaf, or changes a label: then all are to be gathered.
 */
export function growBranches(earlier: Branches, session: Session, place: Place): Branches | undefined {
	if (earlier.session === session) return earlier;
	// A session that has grown goes on with the entries of the one before.
	if (earlier.session.entries !== session.entries) return undefined;
	const index = earlier.list.findIndex(({ kind }) => kind === "active");
	const active = earlier.list[index];
	const appended = session.entries.slice(earlier.entries);
	let above = active?.id ?? "";
	for (const { id, parentId, type } of appended) {
		const isOnly = session.tree.children.get(above)?.length === 1;
		if (parentId !== above || !isOnly || type === "label") return undefined;
		above = id;
	}
	if (active === undefined || above !== session.tree.leafId) return undefined;
	const draft = reopen(active);
	for (const entry of appended) addToPath(draft, entry, session, place);
	const grown = finishDraft(draft);
	const list = earlier.list.with(index, grown);
	const indexes = new Map(earlier.indexes);
	indexes.delete(active.id);
	indexes.set(grown.id, index);
	const entries = earlier.entries + appended.length;
	return { ...earlier, session, entries, list, indexes };
}

/** What of a session's tree is conversation; entries are named by their index. */
interface WeighedTree {
	/** How many entries there were: what is appended meanwhile is not looked at. */
	readonly count: number;
	readonly isActive: (index: number) => boolean;
	/** The child with which the way goes on: the one of the outline, or, where that is bookkeeping, the one with the most. */
	readonly next: (index: number) => number | undefined;
	/** The root from which it does. */
	readonly root: number | undefined;
	/** The other children of the conversation, or the other roots. */
	readonly others: (index: number | undefined) => readonly number[];
	/** The children, or the roots, at and below which there is only bookkeeping. */
	readonly bookkeeping: (index: number | undefined) => readonly number[];
}

/** Finds out what is conversation, in steps, in time linear in the number of entries, without recursion. */
function* weighEntries(session: Session): Steps<WeighedTree> {
	const outline = yield* outlineSteps(session);
	// They may grow while these steps wait; what was in them stays.
	const columns: OutlineColumns = { ...outline.columns };
	const weights = yield* conversationBelow(session, columns);
	const { main, mainRoot, active, count } = columns;
	const weightAt = (index: number): number => weights[index] ?? 0;
	const childrenOf = (index: number | undefined): readonly number[] =>
		session.tree.table.childrenAt(index ?? -1).filter((child) => child < count);
	const mainOf = (index: number | undefined): number | undefined => {
		const chosen = index === undefined ? mainRoot : (main[index] ?? -1);
		if (chosen === -1 || chosen >= count) return undefined;
		if (weightAt(chosen) > 0) return chosen;
		const largest = childrenOf(index).reduce((a, b) => (weightAt(b) > weightAt(a) ? b : a), chosen);
		return weightAt(largest) > 0 ? largest : undefined;
	};
	return {
		count,
		isActive: (index) => active[index] === 1,
		next: mainOf,
		root: mainOf(undefined),
		others: (index) => {
			const next = mainOf(index);
			return childrenOf(index).filter((child) => child !== next && weightAt(child) > 0);
		},
		bookkeeping: (index) => childrenOf(index).filter((child) => weightAt(child) === 0),
	};
}

/** How many entries of the conversation, and of the active path, are at and below each. */
function* conversationBelow(session: Session, columns: OutlineColumns): Steps<Int32Array> {
	const { order, table, active, count } = columns;
	const weights = new Int32Array(count);
	// Children come after their parents there, so from the end on each weight is whole when it is added to its parent's.
	for (let place = count - 1; place >= 0; place--) {
		if (place % ENTRIES_PER_STEP === 0) yield;
		const index = order[place] ?? -1;
		const entry = session.entries[index];
		if (entry === undefined) continue;
		if (active[index] === 1 || !BOOKKEEPING.has(entry.type)) weights[index] = (weights[index] ?? 0) + 1;
		const above = table.parent[index] ?? -1;
		if (above !== -1) weights[above] = (weights[above] ?? 0) + (weights[index] ?? 0);
	}
	return weights;
}
