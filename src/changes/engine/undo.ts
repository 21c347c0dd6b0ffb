import { capital, formatCount, formatCounted, formatWhen } from "../../ui/text/format.ts";
import { type Answer, type Question, say } from "../answer.ts";
import { type ChosenChanges, chosenChanges, type HistoryReader } from "../journal/history-reader.ts";
import { madeSteps, stepId, stepOf, type UndoStep, undoneStep, whyNothingToUndo } from "../journal/step.ts";
import { type Change, isMade } from "../kinds/change.ts";
import { CannotError, type Failure, listFailures, sentence } from "../reason.ts";
import { dependedOn, dependentsOf, sessionsOf } from "./depends.ts";
import { batched, eachInTurn, type Outcome } from "./each-session.ts";
import type { Job } from "./long-work.ts";
import type { UndoableChange } from "./outlooks.ts";
import { isUnderWay, recovered, whyUnderWay } from "./recover.ts";
import {
	concernsAbout,
	readyToUndo,
	sessionToShow,
	type UndoReadiness,
	type UndoTools,
	undoOne,
	usedBefore,
} from "./undo-one.ts";
import {
	type Concern,
	keyOf,
	leftOut,
	ofDependents,
	ofOtherRun,
	skipQuestion,
	together,
	type UndoRequest,
	undoQuestion,
} from "./undo-questions.ts";

/** A change to undo, with the verdict on the use of its session that the person is shown; or why it cannot be undone. */
type UndoItem =
	| { readonly change: UndoableChange; readonly use: UndoReadiness["use"] }
	| { readonly change: Change; readonly blocked: unknown };

/** The result of checking the changes of a step. */
interface CheckedStep {
	readonly items: readonly UndoItem[];
	readonly concerns: readonly Concern[];
}

/**
 * Makes the function that undoes the last step, and the one before it when it is called again, or the chosen changes and what
 * depends on them, newest first. It asks first if that takes back more than was chosen, or a change of another run, or what
 * someone else has changed since. Changes that cannot be undone stay as they are, and so do those that they depend on; the
 * answer says why. It rejects if the journal cannot be read.
 */
export function createUndo(tools: UndoTools): (request: UndoRequest) => Promise<Answer<UndoRequest>> {
	const { history, changed, work } = tools;
	/** The step whose undo failed last. */
	let failedStep: string | undefined;

	async function undoLast(request: UndoRequest): Promise<Answer<UndoRequest>> {
		const { mine = false } = request;
		const steps = madeSteps(history);
		const { step: last, underWay } = await nextUndoable(steps, mine, tools);
		// While another window is making the last change, undo does not mean an older one that is not ours.
		if (underWay !== undefined && !mine && (last === undefined || !last.changes.every(({ isMine }) => isMine)))
			return sayFailed(underWay.step, new Error(whyUnderWay(underWay.change)), "; undo tries again");
		if (last === undefined) return say("There is nothing to undo", "muted");
		try {
			const answer = await undoStep(last, request);
			if (answer.type === "done") failedStep = undefined;
			return answer;
		} catch (error) {
			changed(last.changes.flatMap(sessionsOf));
			const repeated = failedStep === last.id;
			failedStep = last.id;
			if (!repeated) return sayFailed(last, error, "; undo tries again");
			const { step: earlierStep } = await nextUndoable(steps, false, tools);
			return ask(skipQuestion(last, error, earlierStep, tools.clock()));
		}
	}

	async function undoChosen(of: ChosenChanges, request: UndoRequest): Promise<Answer<UndoRequest>> {
		const step = await chosenStep(of, history);
		if (step === undefined) return say(whyNothingToUndo(await chosenChanges(of, history)), "muted");
		try {
			return await undoStep(step, request);
		} catch (error) {
			changed(step.changes.flatMap(sessionsOf));
			return sayFailed(step, error);
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
			if (items.length === 0) return say(`Nothing to undo: this change was never made: ${step.what}`, "muted");
			const failures = items.flatMap((item) =>
				"blocked" in item ? [{ what: item.change.what, error: item.blocked }] : [],
			);
			if (failures.length === items.length) throw whyNothing(failures);
			const reasons = [
				...ofOtherRun(remainingStep, tools.clock(), request.inSight),
				...ofDependents(step),
				...concerns,
				...leftOut(failures),
			];
			if (reasons.length > 0 && request.agreed !== keyOf(remainingStep, reasons))
				return ask(undoQuestion(remainingStep, reasons, request, await ownInstead(remainingStep, request)));
			return await undoAll(remainingStep, items, job, batch);
		} finally {
			flush();
			job.end();
		}
	}

	/** The last step of this window, to offer instead of one that other windows have a part in. */
	async function ownInstead(step: UndoStep, { of, mine }: UndoRequest): Promise<UndoStep | undefined> {
		if (of !== undefined || mine || step.changes.every(({ isMine }) => isMine)) return undefined;
		return (await nextUndoable(madeSteps(history), true, tools)).step;
	}

	return async (request) => {
		try {
			if (request.skip !== undefined) await giveUp(request.skip, tools);
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

/** Finds out what undo and redo would do. Rejects if the journal cannot be read. */
export async function nextSteps(tools: UndoTools): Promise<NextSteps> {
	const { history, journal } = tools;
	const { step } = await nextUndoable(madeSteps(history), false, tools);
	return { undo: step, redo: undoneStep((await history.read(0)).changes, journal.run.start) };
}

/** The changes that a person has chosen and what depends on them; undefined if none of them is still in effect. */
async function chosenStep(of: ChosenChanges, history: HistoryReader): Promise<UndoStep | undefined> {
	const chosen = (await chosenChanges(of, history)).filter(isMade);
	const oldest = chosen.at(-1);
	const step = stepOf(chosen);
	if (oldest === undefined || step === undefined) return undefined;
	const later = history.since(oldest.id);
	const dependents = dependentsOf(chosen, later);
	const all = new Set([...chosen, ...dependents]);
	const named = "group" in of ? step : { ...step, id: oldest.id, what: oldest.what };
	return { ...named, changes: later.filter((change) => all.has(change)), dependents };
}

interface NextStep {
	/** The newest step that can be undone; of a group, the changes that were made. */
	readonly step: UndoStep | undefined;
	/** The newest step before it that another program may still be making, and the change in question. */
	readonly underWay: { readonly step: UndoStep; readonly change: Change } | undefined;
}

/** Searches the steps from the newest on; `mine`: only those that this run has made. */
async function nextUndoable(steps: AsyncGenerator<UndoStep, void>, mine: boolean, tools: UndoTools): Promise<NextStep> {
	let underWay: NextStep["underWay"];
	for (let next = await steps.next(); !next.done; next = await steps.next()) {
		const step = next.value;
		const [newest] = step.changes;
		// This run made nothing before it started.
		if (mine && newest?.isMine === false && Date.parse(newest.at) < tools.journal.run.start) break;
		if (mine && newest?.isMine === false) continue;
		const busy = step.changes.findLast((change) => isUnderWay(change, tools));
		if (busy !== undefined) {
			underWay ??= { step, change: busy };
			continue;
		}
		const madeChanges: Change[] = [];
		for (const change of step.changes) madeChanges.push(...(await mayBeMade(change, tools)));
		const madeStep = stepOf(madeChanges);
		if (madeStep !== undefined) return { step: madeStep, underWay };
	}
	return { step: undefined, underWay };
}

/** A change that cannot be checked now stays in the step; the undo reports the reason. */
async function mayBeMade(change: Change, tools: UndoTools): Promise<Change[]> {
	const recoveredChange = await recovered(change, tools).catch(() => change);
	return recoveredChange === undefined ? [] : [recoveredChange];
}

/** Records that undo no longer offers a step. */
async function giveUp(step: string, { history, journal }: UndoTools): Promise<void> {
	const { changes } = await history.read(0);
	for (const change of changes) if (stepId(change) === step && isMade(change)) await journal.giveUp(change.id);
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
	const one = async (item: UndoItem): Promise<unknown> => {
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
	if (outcome.done.length === 0 && outcome.failures.length > 0) throw whyNothing(outcome.failures);
	return sayUndone(step, outcome, tools.clock());
}

/** Why none of several changes was undone. */
function whyNothing(failures: readonly Failure[]): unknown {
	const [only, ...others] = failures;
	return others.length === 0 ? only?.error : new Error(listFailures(failures));
}

/** `done`: for each undone change, why the journal could not record that, if it could not. `now` in Unix ms. */
function sayUndone(
	step: UndoStep,
	{ count, done, failures, left }: Outcome<unknown>,
	now: number,
): Answer<UndoRequest> {
	const { dependents } = step;
	const what = `${step.what}${madeBefore(step, now)}`;
	const isWhole = left === 0 && failures.length === 0;
	const some = `${formatCount(done.length)} of ${formatCount(count)}`;
	const unnoted = done.find((each) => each !== undefined);
	// Only the reasons say whether chosen changes or dependents were not undone.
	const all = failures.length > 0 && dependents.length > 0 ? `${some} changes undone` : `Undone: ${what}`;
	const parts = [
		left > 0 ? `Stopped: ${some} undone: ${what}` : all,
		...(failures.length === 0 ? [] : [`${formatCount(failures.length)} failed: ${listFailures(failures)}`]),
		...(isWhole ? [] : ["undo again continues with the rest"]),
		...(isWhole && dependents.length > 0 ? [`${formatCounted(count, "change")} in all`] : []),
		...(unnoted === undefined ? [] : [`it may be offered again, since ${sentence(unnoted)}`]),
	];
	const tone = isWhole && unnoted === undefined ? "text" : "warning";
	return { type: "done", message: { text: parts.join("; "), tone }, select: sessionOf(step) };
}

/** " (made yesterday at 14:05)", of a change of another run, which the person need not remember; else "". */
function madeBefore({ changes }: UndoStep, now: number): string {
	const other = changes.find(({ isMine }) => !isMine);
	const when = other && formatWhen(Date.parse(other.at), now);
	return when ? ` (made ${when})` : "";
}

function sayFailed(step: UndoStep, error: unknown, next = ""): Answer<UndoRequest> {
	const text = `Not undone: ${step.what}. ${capital(sentence(error))}${next}`;
	return { type: "done", message: { text, tone: "error" }, select: sessionOf(step) };
}

function sessionOf({ changes }: UndoStep): string | undefined {
	const oldest = changes.at(-1);
	return oldest && sessionToShow(oldest);
}

function ask(question: Question<UndoRequest>): Answer<UndoRequest> {
	return { type: "ask", question };
}
