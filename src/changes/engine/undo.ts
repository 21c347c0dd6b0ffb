import { formatWhen } from "../../ui/text/format.ts";
import { type Answer, sayOnly } from "../answer.ts";
import { type ChosenChanges, chosenChanges } from "../journal/history-reader.ts";
import { madeSteps, type UndoStep, undoneStep, undoStepOf, whyNothingToUndo } from "../journal/step.ts";
import { type Change, isMade } from "../kinds/change.ts";
import { CannotError } from "../reason.ts";
import { dependedOn, dependentsOf, sessionsOf } from "./depends.ts";
import {
	batched,
	describeOutcome,
	eachInTurn,
	notTakenBack,
	type SessionsOutcome,
	takenBack,
	whyNothing,
} from "./each-session.ts";
import type { Job } from "./long-work.ts";
import type { UndoableChange } from "./outlooks.ts";
import { isUnderWay, recovered, whyUnderWay } from "./recover.ts";
import {
	concernsAbout,
	readyToUndo,
	sessionToShow,
	type UndoneChange,
	type UndoReadiness,
	type UndoTools,
	undoOne,
	usedBefore,
} from "./undo-one.ts";
import {
	type Concern,
	ofOtherRun,
	questionKey,
	together,
	type UndoRequest,
	undoQuestion,
	whyDependedOn,
} from "./undo-questions.ts";

/** A change to undo, with the verdict on the use of its session that the person is shown; or why it cannot be undone. */
type UndoItem =
	| { readonly change: UndoableChange; readonly use: UndoReadiness["use"] }
	| { readonly change: Change; readonly blocked: unknown };

interface CheckedStep {
	readonly items: readonly UndoItem[];
	readonly concerns: readonly Concern[];
}

/**
 * Makes the function that undoes the last step, and the one before it when it is called again, or the chosen changes, newest first. It
 * asks first about a change of another run, and about what someone else has changed since. Changes that cannot be undone stay as they are,
 * and so do those that they depend on; the answer says why. Chosen changes on which others depend stay, too: the answer says which. It
 * rejects if the journal cannot be read.
 */
export function createUndo(tools: UndoTools): (request: UndoRequest) => Promise<Answer<UndoRequest>> {
	const { history, changed, work } = tools;

	async function undoLast(request: UndoRequest): Promise<Answer<UndoRequest>> {
		const { step, underWay } = await nextUndoable(madeSteps(history), tools);
		// While another window is making the last change, undo does not mean an older one that is not ours.
		if (underWay !== undefined && (step === undefined || !step.changes.every(({ isMine }) => isMine)))
			return sayFailed(underWay.step, new Error(whyUnderWay(underWay.change)), "; undo tries again");
		if (step === undefined) return sayOnly("There is nothing to undo", "muted");
		return undoOrSay(step, request, "; undo tries again. The history can undo an older change");
	}

	async function undoChosen(of: ChosenChanges, request: UndoRequest): Promise<Answer<UndoRequest>> {
		const allChosen = await chosenChanges(of, history);
		const chosen = allChosen.filter(isMade);
		const [oldest, step] = [chosen.at(-1), undoStepOf(chosen)];
		if (oldest === undefined || step === undefined) return sayOnly(whyNothingToUndo(allChosen), "muted");
		const dependents = dependentsOf(chosen, history.since(oldest.id));
		const named = "group" in of ? step : { ...step, id: oldest.id, what: oldest.what };
		return dependents.length > 0
			? sayFailed(named, new Error(whyDependedOn(dependents)))
			: undoOrSay(named, request, "");
	}

	/** `next`: what the person can do if nothing of it was undone. */
	async function undoOrSay(step: UndoStep, request: UndoRequest, next: string): Promise<Answer<UndoRequest>> {
		try {
			return await undoStep(step, request);
		} catch (error) {
			changed(step.changes.flatMap(sessionsOf));
			return sayFailed(step, error, next);
		}
	}

	/** Rejects with the reason if nothing of it was undone. */
	async function undoStep(step: UndoStep, request: UndoRequest): Promise<Answer<UndoRequest>> {
		const count = step.changes.length;
		const job = work.begin(`Undoing: ${step.what}`, count);
		const { tools: batch, flush } = batched(tools, step.changes.flatMap(sessionsOf));
		try {
			const checked = await check(step, job, batch);
			if (checked === undefined) return sayUndone(step, { count, done: [], failures: [], left: count }, tools.clock());
			const { items, concerns } = checked;
			const remainingStep = { ...step, changes: items.map(({ change }) => change) };
			if (items.length === 0) return sayOnly(`Nothing to undo: this change was never made: ${step.what}`, "muted");
			const isPossible = items.some((item) => !("blocked" in item));
			const reasons = [...ofOtherRun(remainingStep, tools.clock(), request.inSight), ...concerns];
			if (isPossible && reasons.length > 0 && request.agreed !== questionKey(remainingStep, reasons))
				return { type: "ask", question: undoQuestion(remainingStep, reasons, request) };
			return await undoAll(remainingStep, items, job, batch);
		} finally {
			flush();
			job.end();
		}
	}

	return async (request) => {
		try {
			return await (request.of === undefined ? undoLast(request) : undoChosen(request.of, request));
		} catch (error) {
			throw new CannotError("undo", error);
		}
	};
}

/** What one undo and one redo of this run would do now. */
export interface NextSteps {
	readonly undo: UndoStep | undefined;
	readonly redo: UndoStep | undefined;
}

/** Rejects if the journal cannot be read. */
export async function nextSteps(tools: UndoTools): Promise<NextSteps> {
	const { history, journal } = tools;
	const { step } = await nextUndoable(madeSteps(history), tools);
	return { undo: step, redo: undoneStep((await history.read(0)).changes, journal.run.start) };
}

interface NextStep {
	/** The newest step that can be undone; of a group, the changes that were made. */
	readonly step: UndoStep | undefined;
	/** The newest step before it that another program may still be making, and the change in question. */
	readonly underWay: { readonly step: UndoStep; readonly change: Change } | undefined;
}

async function nextUndoable(steps: AsyncGenerator<UndoStep, void>, tools: UndoTools): Promise<NextStep> {
	let underWay: NextStep["underWay"];
	for await (const step of steps) {
		const busy = step.changes.findLast((change) => isUnderWay(change, tools));
		if (busy !== undefined) {
			underWay ??= { step, change: busy };
			continue;
		}
		const madeChanges: Change[] = [];
		for (const change of step.changes) madeChanges.push(...(await mayBeMade(change, tools)));
		const madeStep = undoStepOf(madeChanges);
		if (madeStep !== undefined) return { step: madeStep, underWay };
	}
	return { step: undefined, underWay };
}

/** A change that cannot be checked now stays in the step; the undo reports the reason. */
async function mayBeMade(change: Change, tools: UndoTools): Promise<Change[]> {
	const recoveredChange = await recovered(change, tools).catch(() => change);
	return recoveredChange === undefined ? [] : [recoveredChange];
}

/** Checks all changes, newest first, before the first is undone; undefined if the person has stopped it. */
async function check(step: UndoStep, job: Job, tools: UndoTools): Promise<CheckedStep | undefined> {
	const items: UndoItem[] = [];
	const concerns: (readonly Concern[])[] = [];
	const held = dependedOn(step.changes);
	for (const begun of step.changes) {
		if (!(await job.goesOn(0))) return undefined;
		try {
			if (isUnderWay(begun, tools)) throw new Error(whyUnderWay(begun));
			const change = await recovered(begun, tools);
			if (change === undefined) continue;
			// If others depend on a change, its files can be checked only after those are undone. Whether they are in use is checked
			// now, since the person is not asked again.
			const ready = held.has(change.id)
				? { isBack: false, conflict: undefined, use: await usedBefore(change, tools) }
				: await readyToUndo(change, tools.history.ownEntries(), tools);
			concerns.push(concernsAbout(ready, tools.clock()));
			items.push({ change, use: ready.use });
		} catch (error) {
			items.push({ change: begun, blocked: error });
		}
	}
	return { items, concerns: together(concerns, step.changes.length) };
}

/** Undoes the changes, newest first. If one cannot be undone, all are except it and those that it depends on. */
async function undoAll(
	step: UndoStep,
	items: readonly UndoItem[],
	job: Job,
	tools: UndoTools,
): Promise<Answer<UndoRequest>> {
	const { history } = tools;
	const keptChanges: Change[] = [];
	const one = async (item: UndoItem): Promise<UndoneChange> => {
		try {
			if ("blocked" in item) throw item.blocked;
			const { change, use } = item;
			if (dependentsOf([change], [...keptChanges, change]).length > 0)
				throw new Error("what depends on it was not undone");
			// The journal has the ids of the entries that undoing the ones before it appended, and where it put their sessions.
			await history.update();
			const now = { ...change, undo: history.get(change.id)?.undo ?? change.undo };
			const ready = await readyToUndo(now, history.ownEntries(), tools);
			return await undoOne(now, { ...ready, use: use ?? ready.use }, tools);
		} catch (error) {
			keptChanges.push(item.change);
			throw error;
		}
	};
	const outcome = await eachInTurn(items, { nameOf: ({ change }) => change.what, one }, job);
	if (outcome.done.length === 0 && outcome.failures.length > 0) throw whyNothing(outcome);
	return sayUndone(step, outcome, tools.clock());
}

/** `now` in Unix ms. */
function sayUndone(step: UndoStep, outcome: SessionsOutcome<UndoneChange>, now: number): Answer<UndoRequest> {
	const { done, count } = outcome;
	const words = {
		changed: done.length,
		done: takenBack("undone", `${step.what}${madeBefore(step, now)}`, outcome),
		left: "left",
		notes: done.length === count ? [] : ["undo again continues with the rest"],
		made: done,
		undoing: "",
	};
	return { type: "done", message: describeOutcome(outcome, words), select: sessionOf(step) };
}

/** " (made yesterday at 14:05)", of a change of another run, which the person need not remember; else "". */
function madeBefore({ changes }: UndoStep, now: number): string {
	const other = changes.find(({ isMine }) => !isMine);
	const when = other && formatWhen(Date.parse(other.at), now);
	return when ? ` (made ${when})` : "";
}

function sayFailed(step: UndoStep, error: unknown, next = ""): Answer<UndoRequest> {
	return { type: "done", message: notTakenBack("undone", step.what, error, next), select: sessionOf(step) };
}

/** Of several sessions none is meant: the cursor stays where it is. */
function sessionOf({ changes }: UndoStep): string | undefined {
	const [only, another] = changes;
	return another === undefined ? only && sessionToShow(only) : undefined;
}
