import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { type JournalContent, pathOf } from "../journal/change.ts";
import { checkUndo } from "../journal/check-undo.ts";
import type { Journal } from "../journal/journal.ts";
import { type UndoingTools, type UndoneBy, undoChange } from "../journal/undo-change.ts";
import type { Action } from "../model/action.ts";
import type { Effect } from "../model/effect.ts";
import type { Question } from "../model/question.ts";
import { sentence } from "./reason.ts";
import { capital, conflict, keyOf, ofOtherRun, ofUse, skipQuestion, undoQuestion } from "./undo-questions.ts";
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
}

/** Takes back the last change, again and again. */
export interface Undoer {
	/**
	 * Undoes the last change that is to be undone, or asks first, or says why that is not possible; then that change
	 * stays the one to be undone. Rejects when the journal cannot be read.
	 */
	undo(effect: UndoEffect): Promise<Action>;
}

type UndoEffect = Extract<Effect, { type: "undo" }>;

export function createUndoer(tools: UndoTools): Undoer {
	const { journal, store, sessionRoots, changed } = tools;
	/** The change whose undo failed last. */
	let failed: string | undefined;

	async function undo(effect: UndoEffect): Promise<Action> {
		const { skip, mine = false } = effect;
		if (skip !== undefined) await journal.giveUp(skip).catch(fail);
		const content = await journal.read().catch(fail);
		const last = await lastUndoable(content, tools, (change) => !mine || isSameRun(change.run, journal));
		if (last === undefined) return say("There is nothing to undo", "muted");
		try {
			return await undoUnlessAsked(last, effect, content);
		} catch (error) {
			changed([sessionOf(last)]);
			const repeated = failed === last.id;
			failed = last.id;
			if (!repeated) return sayFailed(last, error);
			const before = await lastUndoable(content, tools, isBefore(last, content));
			return ask(skipQuestion(last, error, before, tools));
		}
	}

	async function undoUnlessAsked(
		change: Undoable,
		{ agreed, mine }: UndoEffect,
		content: JournalContent,
	): Promise<Action> {
		const { undo } = change;
		if (undo === undefined) throw change.unclear;
		const check = await checkUndo(undo, content.ownEntries, store, sessionRoots);
		if (check.kind === "refuse") throw new Error(check.why);
		const concerns = [
			...ofOtherRun(change, tools),
			...(check.kind === "ask" ? [conflict(check.why)] : []),
			...(undo.type === "created" && check.kind !== "done" ? await ofUse(undo.path, tools) : []),
		];
		if (concerns.length > 0 && agreed !== keyOf(change, concerns)) {
			const own = await lastUndoable(content, tools, ({ id, run }) => id !== change.id && isSameRun(run, journal));
			return ask(undoQuestion(change, concerns, mine ?? false, own));
		}
		const by = check.kind === "done" ? {} : await undoChange(undo, tools);
		failed = undefined;
		changed([sessionOf(change)]);
		return noted(change, by);
	}

	/** The undo is done, whatever becomes of the note. */
	async function noted(change: Undoable, by: UndoneBy): Promise<Action> {
		const select = sessionToShow(change);
		try {
			await journal.undone(change.id, by);
			return { type: "done", message: { text: `Undone: ${change.what}`, tone: "text" }, select };
		} catch (error) {
			const text = `Undone: ${change.what}; it may be offered again, since ${sentence(error)}`;
			return { type: "done", message: { text, tone: "warning" }, select };
		}
	}

	return { undo };
}

function sayFailed(change: Undoable, error: unknown): Action {
	const text = `Not undone: ${change.what}. ${capital(sentence(error))}; undo tries again`;
	return { type: "done", message: { text, tone: "error" }, select: sessionToShow(change) };
}

/** The session that the cursor goes to: the one concerned; for one that was made, what it was made from. */
function sessionToShow({ undo, plan }: Undoable): string | undefined {
	return undo === undefined || undo.type === "created" ? plan?.path : pathOf(undo);
}

/** The session that was changed or made, "" when that is not known. */
function sessionOf({ undo, plan }: Undoable): string {
	return undo === undefined ? (plan?.path ?? "") : pathOf(undo);
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
