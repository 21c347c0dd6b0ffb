import { capital, formatCount } from "../../ui/text/format.ts";
import type { Job } from "../core/effects/long-work.ts";
import type { JournalContent } from "../journal/change.ts";
import { type Step, stepId } from "../journal/step.ts";
import type { Action } from "../world/action.ts";
import type { Effect } from "../world/effect.ts";
import { CannotError, sentence } from "../world/effects/reason.ts";
import type { Question } from "../world/question.ts";
import { eachInTurn } from "./each-session.ts";
import { gatherChanges } from "./gather-changes.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import { lookSometimes } from "./look-sometimes.ts";
import {
	concernsAbout,
	type Ready,
	readyToUndo,
	sessionsOf,
	sessionToShow,
	type UndoTools,
	undoOne,
	whyNothing,
} from "./undo-one.ts";
import { type Concern, keyOf, leftOut, ofOtherRun, skipQuestion, together, undoQuestion } from "./undo-questions.ts";
import { isBefore, isSameRun, lastUnderWay, lastUndoable, type Undoable, whyUnderWay } from "./undoable.ts";

/** Takes back the last step, again and again. */
export interface Undoer {
	/**
	 * Undoes the last step that is to be undone, or asks first, or says why that is not possible; then that step stays the
	 * one to be undone. Rejects when the journal cannot be read.
	 */
	undo(effect: UndoEffect): Promise<Action>;
}

type UndoEffect = Extract<Effect, { type: "undo" }>;

/** What was found when the changes of a step were looked at. */
interface Checked {
	readonly ready: readonly Ready[];
	readonly blocked: readonly Failure[];
	readonly concerns: readonly Concern[];
}

export function createUndoer(tools: UndoTools): Undoer {
	const { journal, changed, work } = tools;
	/** The step whose undo failed last. */
	let failedStep: string | undefined;

	async function undo(effect: UndoEffect): Promise<Action> {
		const { skip, mine = false } = effect;
		if (skip !== undefined) await discardStep(skip).catch(fail);
		const content = await journal.read().catch(fail);
		const last = await lastUndoable(content, tools, (step) => !mine || isSameRun(step.run, journal));
		const underWay = mine ? undefined : lastUnderWay(content, tools);
		// Nobody means an older change of somebody else while the last one is being made.
		const isNewer = underWay && (last === undefined || !isBefore(last, content)(underWay.step));
		if (underWay && isNewer && (last === undefined || !isSameRun(last.run, journal)))
			return sayFailed(underWay.step, new Error(whyUnderWay(underWay.change)));
		if (last === undefined) return say("There is nothing to undo", "muted");
		try {
			return await undoUnlessAsked(last, effect, content);
		} catch (error) {
			changed(last.changes.flatMap(sessionsOf));
			const repeated = failedStep === last.id;
			failedStep = last.id;
			if (!repeated) return sayFailed(last, error);
			const before = await lastUndoable(content, tools, isBefore(last, content));
			return ask(skipQuestion(last, error, before, tools));
		}
	}

	async function discardStep(id: string): Promise<void> {
		const { changes } = await journal.read();
		for (const change of changes) if (stepId(change) === id) await journal.giveUp(change.id);
	}

	async function undoUnlessAsked(
		step: Step<Undoable>,
		{ agreed, mine }: UndoEffect,
		content: JournalContent,
	): Promise<Action> {
		const job = work.begin(`Undoing: ${step.what}`, step.changes.length);
		try {
			const checked = await check(step, content, job);
			if (checked === undefined) return sayUndone(step, 0, [], undefined);
			const { ready, blocked } = checked;
			if (ready.length === 0) throw whyNothing(blocked);
			const concerns = [...ofOtherRun(step, tools), ...checked.concerns, ...leftOut(blocked)];
			if (concerns.length > 0 && agreed !== keyOf(step, concerns)) {
				const own = await lastUndoable(content, tools, ({ id, run }) => id !== step.id && isSameRun(run, journal));
				return ask(undoQuestion(step, concerns, mine ?? false, own));
			}
			return await undoAll(step, checked, job);
		} finally {
			job.end();
		}
	}

	/** Undefined: the person has stopped it. */
	async function check(step: Step<Undoable>, { ownEntries }: JournalContent, job: Job): Promise<Checked | undefined> {
		const ready: Ready[] = [];
		const blocked: Failure[] = [];
		const concerns: (readonly Concern[])[] = [];
		const looking = { ...tools, look: lookSometimes(tools.look, step.changes.flatMap(sessionsOf)) };
		for (const change of step.changes) {
			if (!(await job.goesOn(0))) return undefined;
			try {
				const found = await readyToUndo(change, ownEntries, looking);
				concerns.push(concernsAbout(found, tools.clock()));
				ready.push(found);
			} catch (error) {
				blocked.push({ what: change.what, error });
			}
		}
		return { ready, blocked, concerns: together(concerns, step.changes.length) };
	}

	/** Newest first; what cannot be undone stays, and does not keep the others from being undone. */
	async function undoAll(step: Step<Undoable>, { ready, blocked }: Checked, job: Job): Promise<Action> {
		const { flush, ...hearing } = gatherChanges(tools);
		const look = lookSometimes(tools.look, step.changes.flatMap(sessionsOf));
		const one = (each: Ready): Promise<unknown> => undoOne(each, { ...tools, ...hearing, look });
		const each = { nameOf: ({ change }: Ready) => change.what, one };
		const { done, failures: failed } = await eachInTurn(ready.toReversed(), each, job);
		flush();
		const failures = [...blocked, ...failed];
		if (done.length === 0 && failures.length > 0) throw whyNothing(failures);
		failedStep = undefined;
		return sayUndone(
			step,
			done.length,
			failures,
			done.find((unnoted) => unnoted !== undefined),
		);
	}

	return { undo };
}

function sayUndone(step: Step<Undoable>, undone: number, failures: readonly Failure[], unnoted: unknown): Action {
	const count = step.changes.length;
	const isStopped = undone + failures.length < count;
	const parts = [
		isStopped
			? `Stopped: ${formatCount(undone)} of ${formatCount(count)} undone: ${step.what}`
			: `Undone: ${step.what}`,
	];
	if (failures.length > 0) parts.push(`${formatCount(failures.length)} not: ${listFailures(failures)}`);
	if (isStopped || failures.length > 0) parts.push("undo goes on with the rest");
	if (unnoted !== undefined) parts.push(`it may be offered again, since ${sentence(unnoted)}`);
	const tone = parts.length === 1 ? "text" : "warning";
	const [first] = step.changes;
	return { type: "done", message: { text: parts.join("; "), tone }, select: first && sessionToShow(first) };
}

function sayFailed(step: Step, error: unknown): Action {
	const text = `Not undone: ${step.what}. ${capital(sentence(error))}; undo tries again`;
	const [first] = step.changes;
	return { type: "done", message: { text, tone: "error" }, select: first && sessionToShow(first) };
}

function fail(error: unknown): never {
	throw new CannotError("undo", error);
}

function say(text: string, tone: "muted"): Action {
	return { type: "done", message: { text, tone } };
}

function ask(question: Question): Action {
	return { type: "ask", question };
}
