import { type Stats, statSync } from "node:fs";
import type { Noted } from "../../../../changes/engine/make-change.ts";
import { guard, guardAgain } from "../../../../changes/guard/guard.ts";
import { alsoOpen } from "../../../../changes/guard/guard-words.ts";
import { sessionTitle } from "../../../../conversation/entries/session-title.ts";
import type { Action } from "../../state/action.ts";
import { actOf, type GuardedEffect, windowOf } from "../../state/effect.ts";
import type { ChangeCapabilities, Sessions } from "../capabilities.ts";
import { copyText } from "../copy-text.ts";
import { type EffectOf, expectErrors } from "../runners.ts";
import { askAboutTurn, canStart, checkResume, resume } from "./resume.ts";
import { goToTmuxPane } from "./tmux.ts";
import { makeWorktree } from "./worktree.ts";

type SessionEffectType =
	| "rename"
	| "label"
	| "forward"
	| "branch"
	| "fork"
	| "bring"
	| "trash"
	| "restore"
	| "restore-all"
	| "change-all"
	| "archive"
	| "bring-back"
	| "mark"
	| "save-query"
	| "undo"
	| "redo"
	| "resume"
	| "resume-from"
	| "make-worktree"
	| "go-to-use";

/** The effects that change sessions or what is noted about them, and those that start pi with one. */
export type SessionEffect = EffectOf<SessionEffectType>;

/** Runs them in the browser and in the commands of the shell. */
export const SESSION_EFFECTS = expectErrors<SessionEffectType, ChangeCapabilities>({
	rename: (effect, tools) => noteOpenElsewhere(effect.path, tools.journal.make(effect), tools),
	label: (effect, tools) => noteOpenElsewhere(effect.path, tools.journal.make(effect), tools),
	forward: async (effect, { store, journal }) =>
		(await checkShown(effect, store)) ?? doneBy(await journal.make(effect)),
	branch: async (effect, { journal }) => doneBy(await journal.make(effect)),
	async fork(effect, tools) {
		const made = await tools.journal.make(effect);
		if (!effect.resume || made.created === undefined) return doneBy(made);
		return resume({ path: made.created, cwd: effect.cwd, ...windowOf(effect) }, tools);
	},
	bring: async (effect, { journal }) => doneBy(await journal.make(effect)),
	async trash(effect, { store, journal }) {
		const { path, shown } = effect;
		const changed = await checkShown(effect, store);
		return changed ?? doneBy(await journal.make({ type: "trash", path, size: shown.row.size }));
	},
	restore: async (effect, { journal }) => doneBy(await journal.make(effect)),
	"restore-all": (effect, { journal }) => journal.restoreAll(effect),
	"change-all": (effect, { journal }) => journal.changeAll(effect),
	archive: async ({ sessions }, { journal }) => ({ type: "done", message: (await journal.archive(sessions)).message }),
	async "bring-back"(effect, tools) {
		const { message, paths } = await tools.journal.bringBack(effect.paths);
		const [path] = paths;
		if (effect.resume === undefined || path === undefined) return { type: "done", message };
		const request = { path, cwd: effect.resume.cwd };
		return (await checkResume({ type: "resume", request }, tools)) ?? resume(request, tools);
	},
	mark: async (effect, { journal }) => doneBy(await journal.make(effect)),
	"save-query": async (effect, { journal }) => doneBy(await journal.make(effect)),
	undo: (effect, { journal }) => journal.undo(effect),
	redo: (effect, { journal }) => journal.redo(effect),
	resume: async (effect, tools) =>
		(await checkShown(effect, tools.store)) ?? (await checkResume(effect, tools)) ?? resume(effect.request, tools),
	"resume-from": async (effect, tools) =>
		(await checkShown(effect, tools.store)) ??
		(await checkResume(effect, tools)) ??
		askAboutTurn(effect, tools) ??
		resumeFrom(effect, tools),
	"make-worktree": async ({ worktree, request }, tools) => (await makeWorktree(worktree)) ?? resume(request, tools),
	"go-to-use": async ({ pid }, { disk }) => {
		const failure = await goToTmuxPane(pid, disk.env);
		return failure === undefined ? undefined : { type: "done", message: { text: failure, tone: "warning" } };
	},
});

function doneBy({ message, created }: Noted): Action {
	return { type: "done", message, select: created };
}

/** Adds to the message that a running pi has the session open and has not read the appended line. */
async function noteOpenElsewhere(
	path: string,
	changing: Promise<Noted>,
	{ store, disk }: ChangeCapabilities,
): Promise<Action> {
	// Neither waits for the other.
	const [made, report] = await Promise.all([changing, store.checkUse([path]).catch(() => undefined)]);
	const { text, tone } = made.message;
	const row = store.rowOf(path);
	if (tone === "muted" || row === undefined || report === undefined) return doneBy(made);
	const message = { text: `${text}${alsoOpen(guard("append", report, row), disk.clock())}`, tone };
	return doneBy({ ...made, message });
}

/** Appends only once it is certain that pi can start: otherwise the leaf would move for nothing. */
async function resumeFrom(
	{ request, entryId }: EffectOf<"resume-from">,
	tools: ChangeCapabilities,
): Promise<Action | undefined> {
	if (!(await canStart(request, tools))) return resume(request, tools);
	const { sayAgain } = await tools.journal.make({ type: "go-on", path: request.path, entryId });
	// pi takes it from us into its editor.
	if (tools.pi.isHost && !request.inWindow) return resume(request, tools, sayAgain);
	const copied = sayAgain === undefined ? undefined : await copyText([sayAgain], "the prompt's text", tools);
	return resume(request, tools, undefined, copied);
}

/** Checks the session of an effect again; undefined if it is as the person was shown, else an action that says what changed. */
export async function checkShown(
	effect: GuardedEffect,
	{ checkUse }: Pick<Sessions, "checkUse">,
): Promise<Action | undefined> {
	const shown = effect.type === "trash" || effect.type === "forward" ? effect.shown : effect.request.shown;
	if (shown === undefined) return undefined;
	const { row } = shown;
	const { decision, uses } = guardAgain(actOf(effect), await checkUse([row.path]), shown);
	if (decision !== "free") return { type: "in-use", effect, now: { row, uses } };
	if (effect.type === "forward") return undefined;
	const stats = statOf(row.path);
	if (effect.type === "trash") {
		if (stats !== undefined && stats.size !== row.size)
			return warn(
				`"${sessionTitle(row)}" has changed since you were asked, so it was not moved to the trash. Look again.`,
			);
	} else if (!stats?.isFile()) {
		return warn(`Cannot resume "${sessionTitle(row)}": its file ${row.path} is no longer there.`);
	}
	return undefined;
}

/** Undefined if there is no such file, or it cannot be checked: what is done next reports why. */
function statOf(path: string): Stats | undefined {
	try {
		return statSync(path);
	} catch {
		return undefined;
	}
}

function warn(text: string): Action {
	return { type: "done", message: { text, tone: "warning" } };
}
