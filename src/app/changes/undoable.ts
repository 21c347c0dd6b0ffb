import { processMark } from "../../catalog/live/process-mark.ts";
import { isRunning } from "../../shared/is-running.ts";
import { LONGEST_CHANGE_MS } from "../../store/actions/session-history.ts";
import { isInTrash } from "../../store/actions/trash.ts";
import type { Change, JournalContent } from "../journal/change.ts";
import type { Journal } from "../journal/journal.ts";
import type { Run, Undo } from "../journal/journal-schema.ts";
import { recoverChange } from "../journal/recover-change.ts";
import { type Step, stepOf, stepsOf } from "../journal/step.ts";
import type { UndoingTools } from "../journal/undo-change.ts";

/** A change that can be undone, or, with `unclear`, of which cannot be found out now whether it was made. */
export type Undoable = Change & { readonly undo?: Undo | undefined; readonly unclear?: unknown };

/**
 * Whether an undo could bring a session back that was moved to the trash: then a list without sessions is not an empty
 * one. False when the journal cannot be read.
 */
export async function canBringBack(journal: Journal, tools: UndoingTools): Promise<boolean> {
	try {
		const content = await journal.read();
		const deletions = content.changes.filter(
			(change) => isDeletion(change) && !isUnderWay(change, journal, Date.now()),
		);
		const all = await Promise.all(deletions.map((change) => undoableOf(change, content, { ...tools, journal })));
		const receipts = all.flatMap((change) => (change?.undo?.type === "restore" ? [change.undo.receipt] : []));
		return (await Promise.all(receipts.map(isInTrash))).some(Boolean);
	} catch {
		// It is only asked which list to open; the undo itself reports it.
		return false;
	}
}

function isDeletion({ plan, undo }: Change): boolean {
	return undo === undefined ? plan?.type === "trash" : undo.type === "restore";
}

/** What finding a change needs of the world outside. */
interface Finding extends UndoingTools {
	readonly journal: Journal;
	/** Present time, Unix ms. */
	readonly clock: () => number;
}

/** The last step that was made, is not over, and fits; of a group, what of it was made. */
export async function lastUndoable(
	content: JournalContent,
	tools: Finding,
	fits: (step: Step) => boolean,
): Promise<Step<Undoable> | undefined> {
	for (const step of stepsOf(content.changes).toReversed()) {
		if (!fits(step) || step.changes.some((change) => isUnderWay(change, tools.journal, tools.clock()))) continue;
		const made: Undoable[] = [];
		for (const change of step.changes) {
			const undoable = await undoableOf(change, content, tools);
			if (undoable !== undefined) made.push(undoable);
		}
		const undoable = stepOf(made);
		if (undoable !== undefined) return undoable;
	}
	return undefined;
}

/** The last step of which another program may just be making a part, and that part. */
export function lastUnderWay(
	{ changes }: JournalContent,
	{ journal, clock }: Pick<Finding, "journal" | "clock">,
): { readonly step: Step; readonly change: Change } | undefined {
	for (const step of stepsOf(changes).toReversed()) {
		const change = step.changes.find((each) => isUnderWay(each, journal, clock()));
		if (change !== undefined) return { step, change };
	}
	return undefined;
}

/** Whether a step was made before another one. */
export function isBefore({ id: last }: Step, { changes }: JournalContent): (step: Step) => boolean {
	const ids = stepsOf(changes).map(({ id }) => id);
	const earlier = new Set(ids.slice(0, ids.indexOf(last)));
	return ({ id }) => earlier.has(id);
}

/** Completes what a killed run has not noted: that the change was made, and how to undo it, or that it was not. */
export async function undoableOf(
	change: Change,
	content: JournalContent,
	{ journal, store, marks, saved }: Omit<Finding, "clock">,
): Promise<Undoable | undefined> {
	const { id, undo, plan, at } = change;
	if (undo !== undefined) return change;
	if (plan === undefined) return undefined;
	try {
		const recovered = await recoverChange({ plan, at }, content, { store, marks, saved });
		const noted = recovered ? journal.done(id, recovered.undo, recovered.entryId) : journal.discard(id);
		// Without the note it is found out again the next time.
		await noted.catch(() => undefined);
		return recovered && { ...change, undo: recovered.undo };
	} catch (error) {
		return { ...change, unclear: error };
	}
}

/** Whether another program may just be making the change. */
export function isUnderWay({ undo, run, at }: Change, journal: Journal, now: number): boolean {
	if (undo !== undefined || run === undefined || isSameRun(run, journal)) return false;
	return run.pid !== journal.run.pid && now - Date.parse(at) < LONGEST_CHANGE_MS && isAlive(run);
}

/** Whether the process of a run still runs: one that was killed may keep its pid until its parent has asked how it ended. */
function isAlive({ pid, mark }: Run): boolean {
	return mark === undefined || mark === "" ? isRunning(pid) : processMark(pid) === mark;
}

/** Why a change cannot be undone yet that another program is just making. */
export function whyUnderWay({ run }: Pick<Change, "run">): string {
	const who = run === undefined ? "another pi-grove" : `another pi-grove (pid ${run.pid})`;
	return `${who} is still making it; undo it when that is done, or has ended`;
}

/** Whether a change was made by this run of the program. */
export function isSameRun(run: Change["run"], { run: mine }: Journal): boolean {
	return run?.pid === mine.pid && run.start === mine.start;
}
