import type { LiveReport } from "../../catalog/model/live.ts";
import { capital, formatCount } from "../../ui/text/format.ts";
import { type Message, UNDOES } from "../answer.ts";
import type { Group } from "../kinds/change.ts";
import type { ChangeRequest } from "../kinds/kinds.ts";
import type { NotedChange } from "../kinds/sessions-kind.ts";
import { type Failure, listFailures, reasonOf, reasonSentence } from "../reason.ts";
import type { Job, LongWork } from "./long-work.ts";
import { makeChange } from "./make-change.ts";
import type { ChangesTools, CheckUse } from "./tools.ts";

interface EachTask<Item, Result> {
	/** Names an item that fails: the quoted title of the session. */
	readonly nameOf: (item: Item) => string;
	/** If it rejects, the others are still done. */
	readonly one: (item: Item) => Promise<Result>;
}

export interface SessionsOutcome<Result> {
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
	each: EachTask<Item, Result>,
	work: LongWork,
): Promise<SessionsOutcome<Result>> {
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
	{ nameOf, one }: EachTask<Item, Result>,
	job: Job,
): Promise<SessionsOutcome<Result>> {
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

interface OutcomeWords {
	readonly changed: number;
	/** What was done: "Archived 3 sessions", "Nothing was restored". */
	readonly done: string;
	/** Follows the count of sessions that were not reached: "unchanged". */
	readonly left: string;
	readonly notes?: readonly string[];
	readonly made?: readonly Pick<NotedChange, "unnoted">[];
	/** What undo does; "" for what it cannot undo. @default `UNDOES` */
	readonly undoing?: string | undefined;
}

/**
 * Describes an outcome in one sentence: "Stopped: Archived 3 sessions; 5 unchanged; 2 failed: “Lexer”, “Parser”: the
 * disk is full". A warning if not everything was done, an error if nothing was.
 */
export function describeOutcome(
	{ failures, left: rest }: SessionsOutcome<unknown>,
	{ changed, done, left, notes = [], made = [], undoing = UNDOES }: OutcomeWords,
): Message {
	const unnoted = made.find((each) => each.unnoted !== undefined)?.unnoted;
	const parts = [
		...(rest > 0 ? [`Stopped: ${done}`, `${formatCount(rest)} ${left}`] : [done]),
		...notes,
		...(failures.length > 0 ? [`${formatCount(failures.length)} failed: ${listFailures(failures)}`] : []),
		...(unnoted === undefined ? [] : [`undo may not know of it, since ${reasonSentence(unnoted)}`]),
	];
	const isWhole = rest === 0 && failures.length === 0 && unnoted === undefined;
	const tone = isWhole ? "text" : changed === 0 && rest === 0 ? "error" : "warning";
	return { text: parts.join("; "), tone, ...(changed > 0 && unnoted === undefined && undoing !== "" && { undoing }) };
}

/** What undo or redo has done: "Undone: rename “One” to “Two”"; of a part of a step: "2 of 5 undone: archive 5 sessions". */
export function takenBack(how: "undone" | "redone", what: string, { count, done }: SessionsOutcome<unknown>): string {
	const all = done.length === count ? capital(how) : `${formatCount(done.length)} of ${formatCount(count)} ${how}`;
	return `${all}: ${what}`;
}

/** Why undo or redo has done nothing; `next`: what the person can do. */
export function notTakenBack(how: "undone" | "redone", what: string, why: unknown, next = ""): Message {
	return { text: `Not ${how}: ${what}. ${capital(reasonSentence(why))}${next}`, tone: "error" };
}

/** Why nothing was done of several things, or of one. */
export function whyNothing({ failures, count }: SessionsOutcome<unknown>): unknown {
	return count === 1 ? failures[0]?.error : new Error(listFailures(failures));
}

interface EachChange<Item, Result> extends Pick<EachTask<Item, Result>, "nameOf"> {
	readonly items: readonly Item[];
	/** Makes the changes one step for undo. */
	readonly group: Group | undefined;
	/** "Archiving sessions" */
	readonly doing: string;
	readonly pathOf: (item: Item) => string;
	/** Changes one item, with these functions instead of those of the tools (`batched`). If it rejects, the others are still changed. */
	readonly one: (item: Item, makeOne: MakeOne, checkUse: CheckUse) => Promise<Result>;
}

/** Makes a change that belongs to the group; `of`: as in `Change`. */
export type MakeOne = (request: ChangeRequest, of?: string) => Promise<NotedChange>;

/**
 * Changes several sessions, one after the other, as one step for undo. If one fails, the others are still changed. The person can
 * stop it between two sessions. Never rejects.
 */
export async function changeEach<Item, Result>(
	{ items, group, doing, nameOf, pathOf, one }: EachChange<Item, Result>,
	tools: ChangesTools,
): Promise<SessionsOutcome<Result>> {
	const { tools: batch, flush } = batched(tools, items.map(pathOf));
	const makeOne: MakeOne = (request, of) => makeChange(request, batch, group, of);
	const each = { nameOf, one: (item: Item) => one(item, makeOne, batch.checkUse) };
	return eachSession(items, doing, each, tools.work).finally(flush);
}

/** The tools that are too costly to use once for each of many sessions. Undo has no `refresh`. */
type CostlyTools = Pick<ChangesTools, "checkUse" | "changed"> & Partial<Pick<ChangesTools, "refresh">>;

/** Changes are passed to the catalog this often: each batch makes a new list on the screen. */
const BATCH_MS = 250;
/** A report of what is in use is reused for this long: reading it takes longer than changing most sessions. */
const REPORT_MS = 300;
/** At most this share of the time is spent on checking what is in use. */
const MAX_CHECKING = 1 / 10;

/**
 * The same tools, for work on many sessions one after the other. `checkUse` reports on all of `paths`, whichever it is called
 * with, and checks them only now and then, since that goes through all processes, however few the sessions. `changed` and
 * `refresh` are passed on in batches; `flush` passes on the rest.
 */
export function batched<Tools extends CostlyTools>(
	tools: Tools,
	paths: readonly string[],
): { readonly tools: Tools & Required<CostlyTools>; readonly flush: () => void } {
	let report: LiveReport | undefined;
	let reportUntil = 0;
	let changedPaths: string[] = [];
	let isStale = false;
	let flushedAt = performance.now();

	async function checkUse(): Promise<LiveReport> {
		const began = performance.now();
		if (report === undefined || began >= reportUntil) {
			report = await tools.checkUse(paths);
			const now = performance.now();
			reportUntil = now + Math.max(REPORT_MS, (now - began) / MAX_CHECKING);
		}
		return report;
	}

	function passOn(): void {
		if (changedPaths.length > 0) tools.changed(changedPaths);
		changedPaths = [];
		flushedAt = performance.now();
	}

	return {
		tools: {
			...tools,
			checkUse,
			changed(more) {
				changedPaths.push(...more);
				if (performance.now() - flushedAt >= BATCH_MS) passOn();
			},
			refresh() {
				isStale = true;
			},
		},
		flush() {
			passOn();
			if (isStale) tools.refresh?.();
		},
	};
}
