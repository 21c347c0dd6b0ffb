import type { Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { timeOf } from "../../store/format/time.ts";
import type { Session } from "../../store/read/read-session.ts";
import { entryKind } from "../conversation/entry-kind.ts";
import { fieldsOf } from "../conversation/fields.ts";
import { BOOKKEEPING } from "../conversation/leaf.ts";
import type { Place } from "../conversation/place.ts";
import { contentHead } from "../conversation/row-text.ts";
import { addEntry, emptySum, type Sum } from "../conversation/turn-sum.ts";
import type { Branch, Branches, Prompts } from "./branch.ts";
import { branchName, withPrompt } from "./branch-name.ts";
import { lastWordsOf } from "./last-words.ts";
import { WordCounts } from "./prompt-words.ts";
import { type Weights, weighEntries } from "./weigh-entries.ts";

/** What a branch is made from while its entries are walked. */
interface Draft {
	kind: Branch["kind"];
	readonly path: SessionEntry[];
	readonly parent: number | undefined;
	readonly forkAt: number;
	sum: Sum;
	entries: number;
	prompts: Prompts;
	lastWords: string;
	label: string | undefined;
	lastMs: number | undefined;
}

/** Where a branch begins. */
interface Start {
	readonly entry: SessionEntry;
	readonly parent: number | undefined;
	readonly forkAt: number;
	readonly before: string | undefined;
}

/** What all branches are gathered with. */
interface Gathering {
	readonly session: Session;
	readonly place: Place;
	readonly weights: Weights;
	readonly counts: WordCounts;
	readonly drafts: Draft[];
	readonly starts: Start[];
	hasOneRoot: boolean;
	forks: number;
}

/** An entry may be an edit of many lines, of which the sum counts what changed. */
const ENTRIES_PER_STEP = 32;

/** Gathers the branches of a session, in steps. */
export function* gatherBranches(session: Session, place: Place): Steps<Branches> {
	const weights = yield* weighEntries(session);
	const gathering: Gathering = {
		session,
		place,
		weights,
		counts: new WordCounts(),
		drafts: [],
		starts: [],
		hasOneRoot: true,
		forks: 0,
	};
	startAtRoots(gathering);
	for (let start = gathering.starts.pop(); start !== undefined; start = gathering.starts.pop()) {
		yield* walkBranch(gathering, start);
	}
	const list: Branch[] = [];
	const indexes = new Map<string, number>();
	for (const draft of gathering.drafts) {
		const branch = finish(draft, gathering.counts);
		indexes.set(branch.id, list.length);
		list.push(branch);
		if (list.length % ENTRIES_PER_STEP === 0) yield;
	}
	return { session, entries: countEntries(session), list, indexes, ...totals(list, gathering.forks), counts: gathering.counts };
}

/** How many entries the session has up to its leaf: its list of them may have grown with a later reading. */
export function countEntries({ entries, tree }: Session): number {
	let count = entries.length;
	while (count > 0 && entries[count - 1]?.id !== tree.leafId) count -= 1;
	return count;
}

/** The numbers of all branches together. */
export function totals(list: readonly Branch[], forks: number): Pick<Branches, "forks" | "ends" | "costs"> {
	let all = 0;
	let abandoned = 0;
	let ends = 0;
	for (const { kind, sum } of list) {
		all += sum.cost;
		if (kind === "abandoned") abandoned += sum.cost;
		if (kind !== "trunk") ends += 1;
	}
	return { forks, ends, costs: { all, abandoned } };
}

/** Roots are the ways from one fork that nothing stands before; the active one, which is walked first, is on top of it. */
function startAtRoots(gathering: Gathering): void {
	const { weights, starts } = gathering;
	const roots = livingOf(gathering, undefined);
	gathering.hasOneRoot = roots.length === 1;
	if (roots.length > 1) gathering.forks += 1;
	const main = mainOf(weights, roots);
	for (const entry of [...roots.filter((root) => root !== main), ...(main === undefined ? [] : [main])]) {
		starts.push({ entry, parent: undefined, forkAt: 0, before: undefined });
	}
}

/** Walks a branch to its end; the branches that leave it are walked later. */
function* walkBranch(gathering: Gathering, start: Start): Steps<void> {
	const { weights, drafts } = gathering;
	const isActive = weights.active.has(start.entry.id);
	let draft = newDraft(start, isActive ? "active" : "abandoned");
	let index = drafts.push(draft) - 1;
	let step = 0;
	for (let entry: SessionEntry | undefined = start.entry; entry !== undefined; ) {
		if (++step % ENTRIES_PER_STEP === 0) yield;
		addToDraft(gathering, draft, entry);
		draft.path.push(entry);
		yield* addBookkeeping(gathering, draft, entry.id);
		const living = livingOf(gathering, entry.id);
		// The conversation goes on at the leaf even where others have gone on from there before.
		const isEnd = entry.id === gathering.session.tree.leafId;
		const next = isEnd ? undefined : mainOf(weights, living);
		const others = living.filter((child) => child !== next);
		if (others.length > 0) gathering.forks += 1;
		const forkAt = draft.path.length - 1;
		const before = draft.prompts.last ?? draft.prompts.before;
		for (const other of others) gathering.starts.push({ entry: other, parent: index, forkAt, before });
		if (others.length > 0 && next !== undefined && isTrunk(gathering, draft)) {
			draft.kind = "trunk";
			draft = newDraft({ entry: next, parent: index, forkAt, before }, "active");
			index = drafts.push(draft) - 1;
		}
		entry = next;
	}
}

/** Whether an active path that forks here for the first time is what all ends have in common up to here. */
function isTrunk({ hasOneRoot }: Gathering, { kind, parent }: Draft): boolean {
	return hasOneRoot && kind === "active" && parent === undefined;
}

function newDraft({ parent, forkAt, before }: Start, kind: Branch["kind"]): Draft {
	return {
		kind,
		path: [],
		parent,
		forkAt,
		sum: emptySum(),
		entries: 0,
		prompts: { first: [], last: undefined, count: 0, before },
		lastWords: "",
		label: undefined,
		lastMs: undefined,
	};
}

function addToDraft({ session, place, counts }: Gathering, draft: Draft, entry: SessionEntry): void {
	draft.sum = addEntry(draft.sum, entry, session, place);
	draft.entries += 1;
	draft.label = session.tree.labels.get(entry.id)?.text ?? draft.label;
	if (BOOKKEEPING.has(entry.type)) return;
	const time = timeOf(entry.timestamp);
	if (!Number.isNaN(time)) draft.lastMs = time;
	const kind = entryKind(entry);
	if (kind === "answer") draft.lastWords = lastWordsOf(entry) || draft.lastWords;
	if (kind !== "prompt") return;
	const prompt = contentHead(fieldsOf(fieldsOf(entry).message).content);
	counts.add(prompt);
	draft.prompts = withPrompt(draft.prompts, prompt);
}

/** Adds what hangs beside the path and is no conversation, such as a label that was set after going back, to the sum. */
function* addBookkeeping({ session, place, weights }: Gathering, draft: Draft, id: string): Steps<void> {
	const stack = weights.childrenOf(id).filter((child) => (weights.of.get(child.id) ?? 0) === 0);
	for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
		draft.sum = addEntry(draft.sum, entry, session, place);
		draft.entries += 1;
		if (draft.entries % ENTRIES_PER_STEP === 0) yield;
		for (const child of weights.childrenOf(entry.id)) stack.push(child);
	}
}

/** The children with a conversation at or below them. */
function livingOf({ weights }: Gathering, id: string | undefined): readonly SessionEntry[] {
	return weights.childrenOf(id).filter((child) => (weights.of.get(child.id) ?? 0) > 0);
}

/** The child with which the way goes on: the active one, else the one with the most in it; of the same, the last. */
function mainOf({ active, of }: Weights, children: readonly SessionEntry[]): SessionEntry | undefined {
	let largest: SessionEntry | undefined;
	for (const child of children) {
		if (active.has(child.id)) return child;
		if (largest === undefined || (of.get(child.id) ?? 0) >= (of.get(largest.id) ?? 0)) largest = child;
	}
	return largest;
}

function finish(draft: Draft, counts: WordCounts): Branch {
	const name = branchName(draft.prompts, counts);
	const { lastWords, label } = draft;
	const words = `${label ?? ""}\n${name}\n${lastWords}\n${draft.prompts.first.join("\n")}\n${draft.prompts.last ?? ""}`;
	return { ...draft, id: draft.path.at(-1)?.id ?? "", name, words: words.toLowerCase() };
}
