import type { Steps } from "../../shared/steps.ts";
import { BOOKKEEPING } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { pathTo } from "../../store/tree/session-table.ts";
import { type EntryKind, entryKind } from "../entries/entry-kind.ts";
import { placeOf } from "../entries/place.ts";
import { addEntry, emptySum, type Sum } from "../entries/turn-sum.ts";
import { turnsOf } from "../entries/turns.ts";

/** Two ends of conversations, turn beside turn, from where their paths part. */
export interface Comparison {
	readonly ends: readonly [ComparedEnd, ComparedEnd];
	/** The last prompt of both paths, else their last common entry; undefined if they have no common beginning. */
	readonly ancestor: SessionEntry | undefined;
}

export interface End {
	readonly session: Session;
	/** Id of its last entry; undefined: the leaf of the session. */
	readonly entryId: string | undefined;
}

export interface ComparedEnd extends End {
	readonly entryId: string;
	/** Its entries that are not on the path of the other one, oldest first. */
	readonly rest: readonly SessionEntry[];
	/** The sum over these. */
	readonly sum: Sum;
	/** The label on the last of these that has one. */
	readonly label: string | undefined;
	/** The turns of these; undefined beside the rest of a turn that only the other one goes on with. */
	readonly turns: readonly (ComparedTurn | undefined)[];
}

export interface ComparedTurn {
	/** Its prompt; undefined for the rest of the turn in which the paths part. */
	readonly prompt: SessionEntry | undefined;
	/** The prompt, else the first entry that is shown. */
	readonly first: SessionEntry;
	/** Its last answer, else its last step; undefined if it has neither. */
	readonly answer: SessionEntry | undefined;
	readonly sum: Sum;
}

/** An entry may be an edit of many lines, and the sum counts those that changed. */
const SUMMED_PER_STEP = 32;

/** Compares two ends, in steps. `home`: the person's home directory. */
export function* compareEnds([one, other]: readonly [End, End], home: string): Steps<Comparison> {
	const { ancestor, rests } = partingOf(pathOf(one), pathOf(other));
	const ends = [yield* comparedEnd(one, rests[0], home), yield* comparedEnd(other, rests[1], home)] as const;
	// What goes on with a turn of both stands beside no turn.
	const hasRest = ends.some(({ turns: [turn] }) => turn !== undefined && turn.prompt === undefined);
	const aligned = (end: ComparedEnd): ComparedEnd =>
		hasRest && end.turns[0]?.prompt !== undefined ? { ...end, turns: [undefined, ...end.turns] } : end;
	return { ends: [aligned(ends[0]), aligned(ends[1])], ancestor };
}

function pathOf({ session: { tree }, entryId }: End): readonly SessionEntry[] {
	return pathTo(tree, entryId ?? tree.leafId ?? "");
}

function* comparedEnd(end: End, rest: readonly SessionEntry[], home: string): Steps<ComparedEnd> {
	const { session } = end;
	const place = placeOf(session, home);
	const sum = emptySum();
	const turns: ComparedTurn[] = [];
	let label: string | undefined;
	let count = 0;
	for (const { prompt, rest: entries } of turnsOf(rest)) {
		const turnSum = emptySum();
		for (const entry of prompt === undefined ? entries : [prompt, ...entries]) {
			addEntry(sum, entry, session, place);
			addEntry(turnSum, entry, session, place);
			label = session.tree.labels.get(entry.id)?.text ?? label;
			if (++count % SUMMED_PER_STEP === 0) yield;
		}
		const first = prompt ?? entries.find(isShown);
		if (first !== undefined) turns.push({ prompt, first, answer: lastAnswer(entries), sum: turnSum });
	}
	return { session, entryId: end.entryId ?? session.tree.leafId ?? "", rest, sum, label, turns };
}

function lastAnswer(entries: readonly SessionEntry[]): SessionEntry | undefined {
	const last = entries.findLast((entry) => entryKind(entry) === "answer");
	return last ?? entries.findLast(isShown);
}

/** Kinds of entries that get rows in an outline, besides prompts. */
const SHOWN_KINDS: ReadonlySet<EntryKind> = new Set([
	"answer",
	"result",
	"command",
	"compaction",
	"branch-summary",
	"message",
]);

/** Whether an entry that is not a prompt has rows in an outline. */
export function isShown(entry: SessionEntry): boolean {
	return SHOWN_KINDS.has(entryKind(entry));
}

function saysSomething({ type }: SessionEntry): boolean {
	return !BOOKKEEPING.has(type);
}

interface Parting {
	/** The last prompt of both, else their last common entry; undefined if they begin with different entries. */
	readonly ancestor: SessionEntry | undefined;
	/** What comes behind their last common entry on each. */
	readonly rests: readonly [readonly SessionEntry[], readonly SessionEntry[]];
}

/** Where two paths part, of one session, or of a session and its fork, which has copies of the entries, but labels of its own. */
export function partingOf(one: readonly SessionEntry[], other: readonly SessionEntry[]): Parting {
	let [oneLength, otherLength] = [0, 0];
	for (;;) {
		const [at, otherAt] = [nextSaid(one, oneLength), nextSaid(other, otherLength)];
		const [entry, otherEntry] = [one[at], other[otherAt]];
		if (entry === undefined || otherEntry === undefined || !isSame(entry, otherEntry)) break;
		[oneLength, otherLength] = [at + 1, otherAt + 1];
	}
	const shared = one.slice(0, oneLength);
	const ancestor = shared.findLast((entry) => entryKind(entry) === "prompt") ?? shared.at(-1);
	return { ancestor, rests: [one.slice(oneLength), other.slice(otherLength)] };
}

/** Index of the first entry from there on that is not bookkeeping. */
function nextSaid(path: readonly SessionEntry[], from: number): number {
	let at = from;
	for (let entry = path[at]; entry !== undefined && !saysSomething(entry); entry = path[at]) at += 1;
	return at;
}

function isSame(one: SessionEntry, other: SessionEntry): boolean {
	return one === other || (one.id === other.id && one.timestamp === other.timestamp && one.type === other.type);
}
