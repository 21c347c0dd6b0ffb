import type { Steps } from "../../shared/steps.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Place } from "../entries/place.ts";
import { addEntry } from "../entries/turn-sum.ts";
import type { Branch, Branches } from "./branch.ts";
import { addToPath, type Draft, finishDraft, newDraft, reopen } from "./draft.ts";
import { WordCounts } from "./prompt-words.ts";
import { type WeighedTree, weighEntries } from "./weigh-entries.ts";

/** Where a branch begins. */
interface Start {
	/** Index of its first entry. */
	readonly entry: number;
	readonly parent: number | undefined;
	readonly forkAt: number;
	readonly before: string | undefined;
}

/** What all branches are gathered with. */
interface Gathering {
	readonly session: Session;
	readonly place: Place;
	readonly tree: WeighedTree;
	readonly counts: WordCounts;
	readonly drafts: Draft[];
	readonly starts: Start[];
	hasOneRoot: boolean;
	forks: number;
	/** Entries that have been walked, on any branch: most branches are short. */
	walked: number;
}

/** An entry may be an edit of many lines, of which the sum counts what changed. */
const ENTRIES_PER_STEP = 32;

/** Gathers the branches of a session, in steps. */
export function* gatherBranches(session: Session, place: Place): Steps<Branches> {
	const tree = yield* weighEntries(session);
	const counts = new WordCounts();
	const gathering: Gathering = {
		session,
		place,
		tree,
		counts,
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
		const branch = finishDraft(draft, counts);
		indexes.set(branch.id, list.length);
		list.push(branch);
		if (list.length % ENTRIES_PER_STEP === 0) yield;
	}
	const { forks } = gathering;
	const ends = list.filter(({ kind }) => kind !== "trunk").length;
	return { session, entries: tree.count, list, indexes, forks, ends, counts };
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
		if (++gathering.walked % ENTRIES_PER_STEP === 0) yield;
		const entry = session.entries[at];
		if (entry === undefined) return;
		addToPath(draft, entry, gathering);
		yield* addBookkeeping(gathering, draft, at);
		const next = tree.next(at);
		const forkAt = draft.path.length - 1;
		const before = draft.prompts.last ?? draft.prompts.before;
		// The conversation goes on at the leaf, even where somebody went on from there before.
		const isLeaf = entry.id === session.tree.leafId && next !== undefined;
		const others = isLeaf ? [next, ...tree.others(at)] : tree.others(at);
		for (const other of others) starts.push({ entry: other, parent: index, forkAt, before });
		if (others.length > 0) gathering.forks += 1;
		if (isLeaf) return;
		const isTrunk = gathering.hasOneRoot && draft.kind === "active" && draft.parent === undefined;
		if (others.length > 0 && next !== undefined && isTrunk) {
			draft.kind = "trunk";
			draft = newDraft({ parent: index, forkAt, before }, "active");
			index = drafts.push(draft) - 1;
		}
		at = next;
	}
}

/** Adds what hangs beside the path and is no conversation, such as a label that was set after going back, to the sum. */
function* addBookkeeping({ session, place, tree }: Gathering, draft: Draft, index: number | undefined): Steps<void> {
	const stack = [...tree.bookkeeping(index)];
	for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
		const entry = session.entries[at];
		if (entry === undefined) continue;
		addEntry(draft.sum, entry, session, place);
		draft.entries += 1;
		if (draft.entries % ENTRIES_PER_STEP === 0) yield;
		for (const child of tree.bookkeeping(at)) stack.push(child);
	}
}

/**
 * The branches with what was appended to the session, in a time that does not depend on how many there are of its entries.
 * Undefined where it does not just go on from the leaf, or changes a label: then all are to be gathered.
 */
export function growBranches(before: Branches, session: Session, place: Place): Branches | undefined {
	if (before.session === session) return before;
	// A session that has grown goes on with the entries of the one before.
	if (before.session.entries !== session.entries) return undefined;
	const index = before.list.findIndex(({ kind }) => kind === "active");
	const active = before.list[index];
	const appended = session.entries.slice(before.entries);
	let above = active?.id ?? "";
	for (const { id, parentId, type } of appended) {
		const isOnly = session.tree.children.get(above)?.length === 1;
		if (parentId !== above || !isOnly || type === "label") return undefined;
		above = id;
	}
	if (active === undefined || above !== session.tree.leafId) return undefined;
	const { counts } = before;
	const draft = reopen(active);
	for (const entry of appended) addToPath(draft, entry, { session, place, counts });
	const grown = finishDraft(draft, counts);
	const list = before.list.with(index, grown);
	const indexes = new Map(before.indexes);
	indexes.delete(active.id);
	indexes.set(grown.id, index);
	const entries = before.entries + appended.length;
	return { ...before, session, entries, list, indexes };
}
