import { formatCount } from "../../ui/text/format.ts";
import { type Failure, listFailures, reasonOf, sentence } from "../reason.ts";
import type { Message } from "./answer.ts";
import type { Job, LongWork } from "./long-work.ts";

/** What to do with each item. */
interface Each<Item, Result> {
	/** Names an item that fails: the quoted title of the session. */
	readonly nameOf: (item: Item) => string;
	/** Does one item. If it rejects, the others are still done. */
	readonly one: (item: Item) => Promise<Result>;
}

/** The outcome of work on several sessions. */
export interface Outcome<Result> {
	/** How many items there were. */
	readonly count: number;
	/** Results of the items that succeeded, in order. */
	readonly done: readonly Result[];
	readonly failures: readonly Failure[];
	/** How many items were not reached because the person stopped the work. */
	readonly left: number;
}

/**
 * Does the same to several sessions, one after the other: shows the progress, lets the person stop between two of them, and
 * continues when one fails. `doing`: "Moving sessions to the trash". Never rejects.
 */
export async function eachSession<Item, Result>(
	items: readonly Item[],
	doing: string,
	each: Each<Item, Result>,
	work: LongWork,
): Promise<Outcome<Result>> {
	const job = work.begin(doing, items.length);
	try {
		return await eachInTurn(items, each, job);
	} finally {
		job.end();
	}
}

/** The same as a part of a job that began before it and continues after it. */
export async function eachInTurn<Item, Result>(
	items: readonly Item[],
	{ nameOf, one }: Each<Item, Result>,
	job: Job,
): Promise<Outcome<Result>> {
	const done: Result[] = [];
	const failures: Failure[] = [];
	for (const [index, item] of items.entries()) {
		if (!(await job.goesOn(index))) break;
		try {
			done.push(await one(item));
		} catch (error) {
			failures.push({ what: nameOf(item), error: reasonOf(error) });
		}
	}
	const count = items.length;
	return { count, done, failures, left: count - done.length - failures.length };
}

/** The parts of the message about an outcome. */
interface OutcomeWords {
	/** How many sessions were changed. */
	readonly changed: number;
	/** What was done: "Archived 3 of 10 sessions", "Nothing was restored". */
	readonly done: string;
	/** Follows the count of sessions that were not reached: "unchanged". */
	readonly left: string;
	/** Further remarks. */
	readonly notes?: readonly string[];
	/** Why the journal could not record a change, if that failed. */
	readonly unnoted?: unknown;
}

/**
 * Describes an outcome in one sentence: "Stopped: Archived 3 of 10 sessions; 5 unchanged; 2 failed: “Lexer”, “Parser”: the
 * disk is full". A warning if not everything was done, an error if nothing was.
 */
export function describeOutcome(
	{ failures, left: rest }: Outcome<unknown>,
	{ changed, done, left, notes = [], unnoted }: OutcomeWords,
): Message {
	const parts = [
		...(rest > 0 ? [`Stopped: ${done}`, `${formatCount(rest)} ${left}`] : [done]),
		...notes,
		...(failures.length > 0 ? [`${formatCount(failures.length)} failed: ${listFailures(failures)}`] : []),
		...(unnoted === undefined ? [] : [`undo may not take back all of it, since ${sentence(unnoted)}`]),
	];
	const isWhole = rest === 0 && failures.length === 0 && unnoted === undefined;
	return { text: parts.join("; "), tone: isWhole ? "text" : changed === 0 && rest === 0 ? "error" : "warning" };
}
