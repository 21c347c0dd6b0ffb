import { isArchived } from "../../catalog/model/archive.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { type JournalContent, pathOf } from "../journal/change.ts";
import { checkUndo } from "../journal/check-undo.ts";
import type { Journal } from "../journal/journal.ts";
import type { Undo } from "../journal/journal-schema.ts";
import { type Step, stepId } from "../journal/step.ts";
import { type UndoingTools, undoChange } from "../journal/undo-change.ts";
import type { Action } from "../model/action.ts";
import type { Effect } from "../model/effect.ts";
import type { Question } from "../model/question.ts";
import { formatCount } from "../text/format.ts";
import { gatherChanges } from "./gather-changes.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import type { Job, LongWork } from "./long-work.ts";
import { sentence } from "./reason.ts";
import {
	type Concern,
	capital,
	conflict,
	keyOf,
	leftOut,
	ofOtherRun,
	ofUse,
	skipQuestion,
	together,
	undoQuestion,
} from "./undo-questions.ts";
import { isBefore, isSameRun, lastUndoable, type Undoable } from "./undoable.ts";

/** What undoing needs of the world outside. */
export interface UndoTools extends UndoingTools {
	readonly journal: Journal;
	readonly sessionRoots: SessionRoots;
	/** Present time, Unix ms. */
	readonly clock: () => number;
	/** Has the catalog read these session files. */
	readonly changed: (paths: readonly string[]) => void;
	/** Whether a running pi has the session, as far as can be seen. */
	readonly isInUse: (path: string) => Promise<boolean>;
	/** Tells how far an undo of many changes is, and lets the person stop it. */
	readonly work: LongWork;
}

/** Takes back the last step, again and again. */
export interface Undoer {
	/**
	 * Undoes the last step that is to be undone, or asks first, or says why that is not possible; then that step stays the
	 * one to be undone. Rejects when the journal cannot be read.
	 */
	undo(effect: UndoEffect): Promise<Action>;
}

type UndoEffect = Extract<Effect, { type: "undo" }>;

/** A change that can be undone now. */
interface Ready {
	readonly change: Undoable;
	/** Everything is as it was before already. */
	readonly isBack: boolean;
}

/** What was found when the changes of a step were looked at. */
interface Checked {
	readonly ready: readonly Ready[];
	readonly blocked: readonly Failure[];
	readonly concerns: readonly Concern[];
}

export function createUndoer(tools: UndoTools): Undoer {
	const { journal, store, sessionRoots, changed, work } = tools;
	/** The step whose undo failed last. */
	let failed: string | undefined;

	async function undo(effect: UndoEffect): Promise<Action> {
		const { skip, mine = false } = effect;
		if (skip !== undefined) await discardStep(skip).catch(fail);
		const content = await journal.read().catch(fail);
		const last = await lastUndoable(content, tools, (step) => !mine || isSameRun(step.run, journal));
		if (last === undefined) return say("There is nothing to undo", "muted");
		try {
			return await undoUnlessAsked(last, effect, content);
		} catch (error) {
			changed(last.changes.flatMap(sessionsOf));
			const repeated = failed === last.id;
			failed = last.id;
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
			if (ready.length === 0) throw errorOf(blocked);
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
		const concerns: Concern[][] = [];
		for (const change of step.changes) {
			if (!(await job.goesOn(0))) return undefined;
			try {
				const { undo } = change;
				if (undo === undefined) throw change.unclear;
				const found = await checkUndo(undo, ownEntries, store, sessionRoots);
				if (found.kind === "refuse") throw new Error(found.why);
				const isBack = found.kind === "done";
				ready.push({ change, isBack });
				concerns.push([
					...(found.kind === "ask" ? [conflict(found.why)] : []),
					...(isBack ? [] : await usesBefore(undo, tools)),
				]);
			} catch (error) {
				blocked.push({ what: change.what, error });
			}
		}
		return { ready, blocked, concerns: together(concerns, step.changes.length) };
	}

	/** Newest first; what cannot be undone stays, and does not keep the others from being undone. */
	async function undoAll(step: Step<Undoable>, { ready, blocked }: Checked, job: Job): Promise<Action> {
		const failures = [...blocked];
		const gathered = gatherChanges(tools);
		let unnoted: unknown;
		let undone = 0;
		for (const [index, { change, isBack }] of ready.toReversed().entries()) {
			if (!(await job.goesOn(index))) break;
			try {
				const by = isBack || change.undo === undefined ? {} : await undoChange(change.undo, tools);
				undone += 1;
				gathered.changed(sessionsOf(change));
				// The undo is done, whatever becomes of the note.
				await journal.undone(change.id, by).catch((error: unknown) => {
					unnoted ??= error;
				});
			} catch (error) {
				failures.push({ what: change.what, error });
			}
		}
		gathered.flush();
		if (undone === 0 && failures.length > 0) throw errorOf(failures);
		failed = undefined;
		return sayUndone(step, undone, failures, unnoted);
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

function sayFailed(step: Step<Undoable>, error: unknown): Action {
	const text = `Not undone: ${step.what}. ${capital(sentence(error))}; undo tries again`;
	const [first] = step.changes;
	return { type: "done", message: { text, tone: "error" }, select: first && sessionToShow(first) };
}

function errorOf(failures: readonly Failure[]): unknown {
	const [only, ...others] = failures;
	return others.length === 0 ? only?.error : new Error(listFailures(failures));
}

/** The session that the cursor goes to: the one concerned; for one that was made, what it was made from. */
export function sessionToShow({ undo, plan }: Undoable): string | undefined {
	// A restored session is in the trash again.
	if (plan?.type === "restore") return undefined;
	const path = undo === undefined || undo.type === "created" ? plan?.path : pathOf(undo);
	return path === "" ? undefined : path;
}

/** The session that was changed or made, where it was before and is after it; none where that is not known. */
export function sessionsOf({ undo, plan }: Undoable): readonly string[] {
	if (undo === undefined) return plan === undefined || plan.path === "" ? [] : [plan.path];
	if (undo.type === "moved") return [undo.path, undo.to];
	const path = pathOf(undo);
	return path === "" ? [] : [path];
}

/** A session that an undo takes away from its place may be open in a pi. */
export async function usesBefore(undo: Undo, tools: UndoTools): Promise<readonly Concern[]> {
	if (undo.type === "created") return ofUse(undo.path, tools);
	const isArchiving = undo.type === "moved" && isArchived(undo.path, tools.sessionRoots);
	return isArchiving ? ofUse(undo.to, tools) : [];
}

function fail(error: unknown): never {
	throw new Error(`Cannot undo: ${sentence(error)}`, { cause: error });
}

function say(text: string, tone: "muted"): Action {
	return { type: "done", message: { text, tone } };
}

function ask(question: Question): Action {
	return { type: "ask", question };
}
