import { spendingIn, usageIn } from "../../catalog/stats/usage.ts";
import { timing } from "../../catalog/stats/work-time.ts";
import { type Fields, fieldsOf, textOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { isUnpriced } from "../../store/format/usage.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCost, formatCount, formatCounted, formatDuration, formatShort } from "../../ui/text/format.ts";
import { entryEnd } from "./entry-facts.ts";
import { entryKind, roleOf } from "./entry-kind.ts";
import type { Place } from "./place.ts";
import { changedFile } from "./step.ts";
import { callOf } from "./tool-call.ts";

/** The sums over the entries of a turn, a branch or a session. `addEntry` modifies it. */
export interface Sum {
	/** Number of prompts. */
	turns: number;
	/** Number of tool calls and commands of the person. */
	steps: number;
	/** Number of failed steps and answers. */
	errors: number;
	/** The changed files: the path relative to the session's directory → the id of the entry of the last edit. */
	readonly files: Map<string, string>;
	/** Times (Unix ms) of the first and the last message; undefined if there is none. */
	startMs: number | undefined;
	endMs: number | undefined;
	/** Working time of the model and its tools: the time from each of their entries to the one before it. */
	workedMs: number;
	input: number;
	output: number;
	cacheRead: number;
	cacheWrite: number;
	/** In dollars. */
	cost: number;
	/** Entries of unknown price: theirs is not in `cost`. */
	unpriced: number;
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
		unpriced: 0,
	};
}

/** The sum of entries, without a pause: for more than some thousands use `addEntry` in steps. */
export function sumOf(entries: Iterable<SessionEntry>, session: Session, place: Place): Sum {
	const sum = emptySum();
	for (const entry of entries) addEntry(sum, entry, session, place);
	return sum;
}

/** Adds one entry, in constant time. Entries that a fork copied count as well. */
export function addEntry(sum: Sum, entry: SessionEntry, session: Session, place: Place): void {
	const kind = entryKind(entry);
	const message = fieldsOf(fieldsOf(entry).message);
	if (kind === "prompt") sum.turns++;
	if (kind === "result" || kind === "command") sum.steps++;
	if (entryEnd(entry, session) === "failed") sum.errors++;
	if (kind === "result") addFile(sum, entry, message, session, place);
	addTime(sum, entry, session);
	addSpending(sum, entry);
}

function addFile(sum: Sum, entry: SessionEntry, message: Fields, session: Session, place: Place): void {
	const name = textOf(message.toolName);
	// Only these change files: finding the call of every result would cost more than all the rest.
	if (name !== "edit" && name !== "write") return;
	const path = changedFile(name, callOf(entry, session)?.args ?? {}, message, place);
	if (path !== undefined) sum.files.set(path, entry.id);
}

function addTime(sum: Sum, entry: SessionEntry, { tree }: Session): void {
	const kind = timing(entry.type, roleOf(entry));
	const time = kind === undefined ? Number.NaN : timeOf(entry.timestamp);
	if (Number.isNaN(time)) return;
	sum.startMs = Math.min(sum.startMs ?? time, time);
	sum.endMs = Math.max(sum.endMs ?? time, time);
	if (kind !== "work") return;
	const parent = tree.byId.get(tree.parentOf.get(entry.id) ?? "");
	if (parent === undefined || timing(parent.type, roleOf(parent)) === undefined) return;
	const took = time - timeOf(parent.timestamp);
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
	if (isUnpriced(usageIn(fieldsOf(entry)))) sum.unpriced++;
}

/** The same as `sumParts` without tokens: what was done, in which time, for how much. */
export function workParts(sum: Sum): string[] {
	return sumParts(sum, "");
}

/**
 * The parts of a sum that are not zero: "5 steps", "1✗", "3 files", "2m 10s", "1.2k sent, 75 received, 18k cached", "$0.11". Tokens: sent
 * and not cached, answered, read from the provider's cache.
 */
export function sumParts(sum: Sum, tokens = tokenWords(sum)): string[] {
	return [
		sum.steps === 0 ? "" : formatCounted(sum.steps, "step"),
		sum.errors === 0 ? "" : `${formatCount(sum.errors)}✗`,
		filesPart(sum),
		sum.workedMs === 0 ? "" : formatDuration(sum.workedMs),
		tokens,
		costWords(sum),
	].filter((part) => part !== "");
}

/** "$0.11"; "$0.11 + unknown price" where that of some entries is not known; "" for nothing. */
export function costWords({ cost, unpriced }: Pick<Sum, "cost" | "unpriced">): string {
	const parts = [cost === 0 ? "" : formatCost(cost), unpriced === 0 ? "" : "unknown price"];
	return parts.filter((part) => part !== "").join(" + ");
}

/** "3 files"; "" if none was changed. How many lines, only the ledger knows: steps change the same line again. */
export function filesPart({ files }: Sum): string {
	return files.size === 0 ? "" : formatCounted(files.size, "file");
}

/** "1.2k sent, 75 received, 18k cached"; "" for none. */
export function tokenWords({ input, output, cacheRead, cacheWrite }: Sum): string {
	const sent = input + cacheWrite;
	const parts = [
		sent > 0 ? `${formatShort(sent)} sent` : "",
		output > 0 ? `${formatShort(output)} received` : "",
		cacheRead > 0 ? `${formatShort(cacheRead)} cached` : "",
	];
	return parts.filter((part) => part !== "").join(", ");
}
