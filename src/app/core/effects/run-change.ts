import type { Message } from "../../../changes/engine/answer.ts";
import { archiveSessions, bringBack } from "../../../changes/engine/archive-sessions.ts";
import { changeAll } from "../../../changes/engine/change-all.ts";
import { makeChange } from "../../../changes/engine/make-change.ts";
import { sentence } from "../../../changes/engine/reason.ts";
import { redoChosen } from "../../../changes/engine/redo.ts";
import { restoreAll } from "../../../changes/engine/restore-all.ts";
import { guard } from "../../../changes/guard/guard.ts";
import { alsoOpen } from "../../../changes/guard/guard-words.ts";
import type { ChangeRequest } from "../../../changes/kinds/kinds.ts";
import { newToken } from "../../../changes/noted/noted-file.ts";
import { capital } from "../../../ui/text/format.ts";
import { exportAll } from "../../features/excerpts/effects/export-all.ts";
import { checkResume } from "../../features/sessions/effects/check-resume.ts";
import { checkShown } from "../../features/sessions/effects/check-shown.ts";
import { askAboutTurn, canStart, resume } from "../../features/sessions/effects/resume.ts";
import { copyText } from "../../world/effects/copy-text.ts";
import type { Action } from "../../world/state/action.ts";
import type { Effect } from "../../world/state/effect.ts";
import { placeOfRun } from "../../world/state/outcome.ts";
import type { EffectTools } from "./run-effect.ts";

/** The effects that change sessions, hand one over, or save them. */
export type ChangingEffect = Extract<
	Effect,
	{
		type:
			| "rename"
			| "label"
			| "forward"
			| "branch"
			| "trash"
			| "fork"
			| "resume"
			| "resume-from"
			| "export-all"
			| "change-all"
			| "archive"
			| "bring-back"
			| "mark"
			| "save-query"
			| "show-saved"
			| "restore"
			| "redo"
			| "restore-all"
			| "undo";
	}
>;

/** What they use of the world outside, in the browser and in the commands of the shell. */
export type ChangingTools = Pick<
	EffectTools,
	| "journal"
	| "undoer"
	| "history"
	| "store"
	| "lookingStore"
	| "sessionRoots"
	| "marks"
	| "saved"
	| "work"
	| "look"
	| "changed"
	| "refresh"
	| "titleOf"
	| "rowOf"
	| "clock"
	| "home"
	| "cwd"
	| "env"
	| "pi"
	| "piFiles"
	| "leavesForPi"
	| "chooses"
	| "isInPi"
	| "isPiBusy"
	| "lendTerminal"
	| "noteUse"
	| "writeTerminal"
	| "leave"
>;

/** Runs an effect that changes sessions, or what is noted about them. Rejects with what could not be done, and why. */
export async function runChange(effect: ChangingEffect, tools: ChangingTools): Promise<Action | undefined> {
	switch (effect.type) {
		case "trash": {
			const { path, shown } = effect;
			return (await checkShown(effect, tools)) ?? change({ type: "trash", path, size: shown.row.size }, tools);
		}
		case "forward":
			return (await checkShown(effect, tools)) ?? change(effect, tools);
		case "rename":
		case "label":
			return tellWhoHasIt(effect.path, change(effect, tools), tools);
		case "branch":
		case "restore":
		case "mark":
		case "save-query":
			return change(effect, tools);
		case "fork": {
			const { message, created } = await makeChange(effect, tools);
			if (!effect.resume || created === undefined) return { type: "done", message, select: created };
			return resume({ path: created, cwd: effect.cwd, ...placeOfRun(effect) }, tools);
		}
		case "resume":
			return (await checkShown(effect, tools)) ?? (await checkResume(effect, tools)) ?? resume(effect.request, tools);
		case "resume-from":
			return (
				(await checkShown(effect, tools)) ??
				(await checkResume(effect, tools)) ??
				askAboutTurn(effect, tools) ??
				resumeFrom(effect, tools)
			);
		case "export-all":
			return { type: "done", message: await exportAll(effect, tools) };
		case "change-all":
			return changeAll(effect, tools);
		case "archive":
			return { type: "done", message: (await archiveSessions(effect.sessions, tools)).message };
		case "bring-back": {
			const { message, paths } = await bringBack(effect.paths, tools);
			const [path] = paths;
			if (effect.resume === undefined || path === undefined) return { type: "done", message };
			const request = { path, cwd: effect.resume.cwd };
			return (await checkResume({ type: "resume", request }, tools)) ?? resume(request, tools);
		}
		case "show-saved": {
			const message = showSaved(effect.shown, tools);
			return message && { type: "done", message };
		}
		case "redo":
			return redoChosen(effect, tools);
		case "restore-all":
			return restoreAll(effect, tools);
		case "undo":
			return tools.undoer.undo(effect);
	}
}

async function change(request: ChangeRequest, tools: ChangingTools): Promise<Action> {
	const { message, created } = await makeChange(request, tools);
	return { type: "done", message, select: created };
}

/** Says of a line that was appended that a running pi, which has the session, has not read it. */
async function tellWhoHasIt(
	path: string,
	changing: Promise<Action>,
	{ look, rowOf, clock }: ChangingTools,
): Promise<Action> {
	// Nobody waits for the one with the other.
	const [done, report] = await Promise.all([changing, look([path]).catch(() => undefined)]);
	const row = rowOf(path);
	if (done.type !== "done" || done.message.tone === "muted" || row === undefined || report === undefined) return done;
	const { text, tone } = done.message;
	return { ...done, message: { text: `${text}${alsoOpen(guard("append", report, row), clock())}`, tone } };
}

/** Appends only once it is certain that pi can start: otherwise the leaf would move for nothing. */
async function resumeFrom(
	{ request, entryId }: Extract<Effect, { type: "resume-from" }>,
	tools: ChangingTools,
): Promise<Action | undefined> {
	if (!(await canStart(request, tools))) return resume(request, tools);
	const { sayAgain } = await makeChange({ type: "go-on", path: request.path, entryId }, tools);
	// pi takes it from us into its editor.
	if (tools.isInPi && !request.inWindow) return resume(request, tools, sayAgain);
	if (sayAgain !== undefined) await copyText([sayAgain], "the message to say again", tools);
	return resume(request, tools);
}

/** Notes whether the saved queries stand above the list; without the note they are as they were in the next run. */
function showSaved(shown: boolean, { saved }: ChangingTools): Message | undefined {
	try {
		saved.append(newToken(), [{ shown }]);
		return undefined;
	} catch (error) {
		return { text: `${capital(sentence(error))}; in the next run it is as it was`, tone: "warning" };
	}
}
