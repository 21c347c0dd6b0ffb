import { formatCount } from "../../ui/text/format.ts";
import type { Message } from "./answer.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import type { Job, LongWork } from "./long-work.ts";
import { reasonOf, sentence } from "./reason.ts";

/** What is done to each of several. */
interface Each<Item, Result> {
	/** What is named where it fails: the title of the session, quoted. */
	readonly nameOf: (item: Item) => string;
	/** Does it to one of them. What it rejects with does not keep the others from being done. */
	readonly one: (item: Item) => Promise<Result>;
}

/** What became of several. */
export interface Outcome<Result> {
	/** How many it was to be done to. */
	readonly count: number;
	/** What came of those to which it was done, in their order. */
	readonly done: readonly Result[];
	readonly failures: readonly Failure[];
	/** Those that were not reached, because the person has stopped it. */
	readonly left: number;
}

/**
 * Does the same to several sessions, one after the other: shows how far it is, lets the person stop it between two of
 * them, and goes on where one fails. `doing`: "Moving sessions to the trash". Rejects never.
 *
 * What makes it one step for undo is a `Group` of the journal with which each change is noted (`withNote`, `makeChange`).
 * `gatherChanges` hands what was changed to the catalog in lots; `tellOutcome` says what became of it.
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

/** The same, as a part of work that has been begun already, and goes on after it. */
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

/** What there is to say of work on several sessions. */
interface Told {
	/** How many it made a difference to. */
	readonly changed: number;
	/** What was done: "Archived 3 of 10 sessions", "Nothing was restored". */
	readonly done: string;
	/** What is said of those that were not reached: "are as they were". */
	readonly left: string;
	/** What is said besides. */
	readonly notes?: readonly string[];
	/** Why a change could not be noted for undo, if one could not. */
	readonly unnoted?: unknown;
}

/**
 * What became of several sessions, in one sentence: "Stopped: Archived 3 of 10 sessions; 5 are as they were; 2 not:
 * “Lexer”, “Parser”: the disk is full". A warning if it is not all that was wanted, an error if it is nothing of it.
 */
export function tellOutcome(
	{ failures, left: rest }: Outcome<unknown>,
	{ changed, done, left, notes = [], unnoted }: Told,
): Message {
	const parts = [
		...(rest > 0 ? [`Stopped: ${done}`, `${formatCount(rest)} ${left}`] : [done]),
		...notes,
		...(failures.length > 0 ? [`${formatCount(failures.length)} not: ${listFailures(failures)}`] : []),
		...(unnoted === undefined ? [] : [`not all of it may be undone, since ${sentence(unnoted)}`]),
	];
	const isWhole = rest === 0 && failures.length === 0 && unnoted === undefined;
	return { text: parts.join("; "), tone: isWhole ? "text" : changed === 0 && rest === 0 ? "error" : "warning" };
}
