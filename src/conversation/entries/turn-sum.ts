import { spendingIn } from "../../catalog/stats/usage.ts";
import { messageFailed } from "../../store/format/has-failed.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { timeOf } from "../../store/format/time.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCost, formatCount, formatCounted, formatDuration, formatShort } from "../../ui/text/format.ts";
import { type EntryKind, entryKind } from "./entry-kind.ts";
import { type Fields, fieldsOf, textOf } from "./fields.ts";
import type { LineChange } from "./line-change.ts";
import type { Place } from "./place.ts";
import { changedFile } from "./step.ts";
import { callOf } from "./tool-call.ts";

/** What some entries come to: a turn, a branch, a session. `addEntry` adds to it in place. */
export interface Sum {
	/** Prompts. */
	turns: number;
	/** Tools that ran, and commands of the person. */
	steps: number;
	/** Steps that failed, and answers that did. */
	errors: number;
	/** What was done to each file, by its path relative to the session's directory. */
	readonly files: Map<string, LineChange>;
	/** First and last time (Unix ms) of what was said and done; undefined before there is any. */
	startMs: number | undefined;
	endMs: number | undefined;
	/** How long the model and its tools were at work: from each of their entries to the one before it. */
	workedMs: number;
	input: number;
	output: number;
	cacheRead: number;
	cacheWrite: number;
	/** In dollars. */
	cost: number;
}

export function emptySum(): Sum {
	return {
		turns: 0,
		steps: 0,
		errors: 0,
		files: new Map(),
		startMs: undefined,
		endMs: undefined,
		workedMs: 0,
		input: 0,
		output: 0,
		cacheRead: 0,
		cacheWrite: 0,
		cost: 0,
	};
}

/** The sum of some entries. It takes the time that they take: for more than some thousands use `addEntry` in steps. */
export function sumOf(entries: Iterable<SessionEntry>, session: Session, place: Place): Sum {
	const sum = emptySum();
	for (const entry of entries) addEntry(sum, entry, session, place);
	return sum;
}

/** What the model and its tools write. */
const WORK: ReadonlySet<EntryKind> = new Set<EntryKind>(["answer", "calls", "result", "compaction", "branch-summary"]);
/** What belongs to the conversation in time; a label or a name may be set days later. */
const TIMED: ReadonlySet<EntryKind> = new Set<EntryKind>([...WORK, "prompt", "command", "message"]);

/** Adds one entry, in a time that does not depend on the size of the session. Copies that a fork has made count as they are. */
export function addEntry(sum: Sum, entry: SessionEntry, session: Session, place: Place): void {
	const kind = entryKind(entry);
	const message = fieldsOf(fieldsOf(entry).message);
	if (kind === "prompt") sum.turns++;
	if (kind === "result" || kind === "command") sum.steps++;
	if (entry.type === "message" && messageFailed(message)) sum.errors++;
	if (kind === "result") addFile(sum, entry, message, session, place);
	if (TIMED.has(kind)) addTime(sum, entry, WORK.has(kind), session);
	addSpending(sum, entry);
}

function addFile(sum: Sum, entry: SessionEntry, message: Fields, session: Session, place: Place): void {
	const name = textOf(message.toolName);
	// Only these change files: looking for the call of every result would cost more than all the rest.
	if (name !== "edit" && name !== "write") return;
	const change = changedFile(name, callOf(entry, session)?.args ?? {}, message, place);
	if (change === undefined) return;
	const before = sum.files.get(change.path) ?? { added: 0, removed: 0 };
	sum.files.set(change.path, { added: before.added + change.added, removed: before.removed + change.removed });
}

function addTime(sum: Sum, entry: SessionEntry, isWork: boolean, { tree }: Session): void {
	const time = timeOf(entry.timestamp);
	if (Number.isNaN(time)) return;
	sum.startMs = Math.min(sum.startMs ?? time, time);
	sum.endMs = Math.max(sum.endMs ?? time, time);
	if (!isWork) return;
	const before = tree.byId.get(tree.parentOf.get(entry.id) ?? "");
	if (before === undefined || !TIMED.has(entryKind(before))) return;
	const took = time - timeOf(before.timestamp);
	if (took > 0) sum.workedMs += took;
}

function addSpending(sum: Sum, entry: SessionEntry): void {
	const spent = spendingIn(fieldsOf(entry));
	if (spent === undefined) return;
	sum.input += spent.input;
	sum.output += spent.output;
	sum.cacheRead += spent.cacheRead;
	sum.cacheWrite += spent.cacheWrite;
	sum.cost += spent.cost;
}

/** Lines added and removed in all files of a sum. */
export function fileLines({ files }: Sum): LineChange {
	let added = 0;
	let removed = 0;
	for (const change of files.values()) {
		added += change.added;
		removed += change.removed;
	}
	return { added, removed };
}

/**
 * A sum in words, what is zero left out: "5 steps", "1✗", "3 files +25 −5", "2m 10s", "1.2k→ 75↓ 18k⟲", "$0.0112". The
 * tokens: sent anew, answered, read from the provider's cache.
 */
export function sumParts(sum: Sum): string[] {
	return [
		sum.steps === 0 ? "" : formatCounted(sum.steps, "step"),
		sum.errors === 0 ? "" : `${formatCount(sum.errors)}✗`,
		filesPart(sum),
		sum.workedMs === 0 ? "" : formatDuration(sum.workedMs),
		tokensPart(sum),
		sum.cost === 0 ? "" : formatCost(sum.cost),
	].filter((part) => part !== "");
}

/** "3 files +25 −5"; "" where none was changed. */
export function filesPart(sum: Sum): string {
	if (sum.files.size === 0) return "";
	const { added, removed } = fileLines(sum);
	const lines = `${added > 0 ? ` +${formatCount(added)}` : ""}${removed > 0 ? ` −${formatCount(removed)}` : ""}`;
	return `${formatCounted(sum.files.size, "file")}${lines}`;
}

function tokensPart({ input, output, cacheRead, cacheWrite }: Sum): string {
	const sent = input + cacheWrite;
	const parts = [
		sent > 0 ? `${formatShort(sent)}→` : "",
		output > 0 ? `${formatShort(output)}↓` : "",
		cacheRead > 0 ? `${formatShort(cacheRead)}⟲` : "",
	];
	return parts.filter((part) => part !== "").join(" ");
}
