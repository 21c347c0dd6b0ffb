import { type Stats, statSync } from "node:fs";
import { archiveCounterpart, withKnownProjects } from "../../../../catalog/model/session-roots.ts";
import type { Message } from "../../../../changes/answer.ts";
import { guard, guardAgain, isAlwaysFree, type ShownSession } from "../../../../changes/guard/guard.ts";
import { alsoOpen } from "../../../../changes/guard/guard-words.ts";
import { dirFor } from "../../../../changes/kinds/copy.ts";
import {
	type ChangeRequest,
	kindOfRequest,
	REQUEST_TYPES,
	type SessionsRequest,
} from "../../../../changes/kinds/kinds.ts";
import type { NotedChange } from "../../../../changes/kinds/sessions-kind.ts";
import { sessionTitle } from "../../../../conversation/entries/session-title.ts";
import { join } from "../../../../shared/paths.ts";
import { newSessionId, sessionFileName } from "../../../../store/format/new-entry.ts";
import { shortenHome } from "../../../../ui/text/format.ts";
import { quote } from "../../../../ui/text/width.ts";
import type { Action } from "../../state/action.ts";
import { actOf, type Effect, type GuardedEffect } from "../../state/effect.ts";
import type { ChangeCapabilities, SessionAccess } from "../capabilities.ts";
import { copyText } from "../copy-text.ts";
import { isDirectoryAsync } from "../find-program.ts";
import { type EffectOf, expectErrors } from "../runners.ts";
import { checkoutInto, planFiles } from "./files.ts";
import { askAboutTurn, canStart, checkResume, resumeSession } from "./resume.ts";
import { planApply, planRewind } from "./rewind.ts";
import { goToTmuxPane } from "./tmux.ts";
import { makeWorktree } from "./worktree.ts";

type SessionEffectType =
	| ChangeRequest["type"]
	| "change-sessions"
	| "restore-all"
	| "undo"
	| "redo"
	| "resume"
	| "resume-from"
	| "resume-fork"
	| "resume-archived"
	| "start-session"
	| "make-worktree"
	| "plan-files"
	| "checkout-into"
	| "plan-apply"
	| "plan-rewind"
	| "rewind"
	| "go-to-use";

/** The changes of the journal, each made as it is requested. */
const MAKERS = Object.fromEntries(REQUEST_TYPES.map((type) => [type, make])) as Readonly<
	Record<ChangeRequest["type"], typeof make>
>;

/** The effects that change sessions or their pins, tags and marks, and the effects that start pi with a session. */
export type SessionEffect = EffectOf<Extract<Effect["type"], SessionEffectType>>;

/** Runs them in the browser and in the commands of the shell. */
export const SESSION_EFFECTS = expectErrors<SessionEffect["type"], ChangeCapabilities>({
	...MAKERS,
	"change-sessions": async (effect, { store, journal }) =>
		(await checkShown(effect, store)) ?? journal.changeSessions(effect),
	"restore-all": (effect, { journal }) => journal.restoreAll(effect),
	undo: (effect, { journal }) => journal.undo(effect),
	redo: (effect, { journal }) => journal.redo(effect),
	resume: async (effect, tools) =>
		(await checkShown(effect, tools.store)) ??
		(await checkResume(effect, tools)) ??
		resumeSession(effect.request, tools),
	"resume-from": async (effect, tools) =>
		(await checkShown(effect, tools.store)) ??
		(await checkResume(effect, tools)) ??
		askAboutTurn(effect.request, { ...effect, request: { ...effect.request, stopsTurn: true } }, tools) ??
		resumeFrom(effect, tools),
	async "resume-fork"({ request }, tools) {
		const fork = await tools.journal.make({ type: "fork", path: request.path, cwd: request.cwd });
		return fork.created === undefined ? doneBy(fork) : resumeSession({ ...request, path: fork.created }, tools);
	},
	async "resume-archived"({ request: { path, cwd, shown } }, tools) {
		const change = { type: "bring-back" } as const;
		const answer = await tools.journal.changeSessions({ type: "change-sessions", change, sessions: [shown] });
		const request = { path: archiveCounterpart(path, withKnownProjects(tools.store.roots)), cwd };
		// The person may have stopped it.
		if (statOf(request.path) === undefined) return answer;
		return (await checkResume({ type: "resume", request }, tools)) ?? resumeSession(request, tools);
	},
	"start-session": startSession,
	"make-worktree": async ({ worktree, request }, tools) =>
		(await makeWorktree(worktree)) ?? resumeSession(request, tools),
	"plan-files": planFiles,
	"checkout-into": checkoutInto,
	"plan-apply": planApply,
	"plan-rewind": planRewind,
	rewind,
	"go-to-use": async ({ pid }, { disk }) => {
		const failure = await goToTmuxPane(pid, disk.env);
		return failure === undefined ? undefined : { type: "done", message: { text: failure, tone: "warning" } };
	},
});

function doneBy({ message, created }: NotedChange): Action {
	return { type: "done", message, created };
}

async function make(request: ChangeRequest, tools: ChangeCapabilities): Promise<Action> {
	return doneBy(await makeNoted(request, tools));
}

/** Makes a change; adds to the message that a running pi has the session open and has not read the appended line. */
export async function makeNoted(
	request: ChangeRequest,
	{ journal, store, disk }: ChangeCapabilities,
): Promise<NotedChange> {
	const kind = kindOfRequest(request);
	if (kind.actOf(request) !== "append") return journal.make(request);
	const path = kind.pathOf(request);
	// Neither waits for the other.
	const [made, report] = await Promise.all([journal.make(request), store.checkUse([path]).catch(() => undefined)]);
	const { message } = made;
	const row = store.rowOf(path);
	if (message.tone === "muted" || row === undefined || report === undefined) return made;
	const open = alsoOpen(guard("append", report, row), disk.clock());
	return { ...made, message: { ...message, text: `${message.text}${open}` } };
}

/** Starts pi with a new session, whose first prompt is on the clipboard. */
async function startSession(effect: EffectOf<"start-session">, tools: ChangeCapabilities): Promise<Action | undefined> {
	const { cwd, text, what, inWindow, sent } = effect;
	const { store, disk } = tools;
	const name = sessionFileName(new Date(disk.clock()).toISOString(), newSessionId());
	const first = sent && { text, sent };
	const request = {
		path: join(dirFor(cwd, store.roots), name),
		cwd,
		...(inWindow && { inWindow }),
		...(first && { first }),
	};
	if (!(await isDirectoryAsync(cwd))) return askToStartHere(effect, disk);
	if (first !== undefined) return resumeSession(request, tools);
	const canStartPi = await canStart(request, tools);
	return resumeSession(request, tools, undefined, canStartPi ? await copyText([text], what, tools) : undefined);
}

function askToStartHere(effect: EffectOf<"start-session">, { cwd: here, home }: ChangeCapabilities["disk"]): Action {
	const choices = [
		{ label: `Start pi in ${shortenHome(here, home)}`, effect: { ...effect, cwd: here } },
		{ label: "Cancel" },
	] as const;
	const body = [`The session's directory does not exist: ${shortenHome(effect.cwd, home)}`];
	return { type: "ask", question: { title: "Start a new session", body, choices, danger: false } };
}

/** Appends only once it is certain that pi can start: otherwise the leaf would move for nothing. */
async function resumeFrom(
	{ request, entryId }: EffectOf<"resume-from">,
	tools: ChangeCapabilities,
	earlier?: Message,
): Promise<Action | undefined> {
	if (!(await canStart(request, tools))) return resumeSession(request, tools);
	const { sayAgain } = await tools.journal.make({ type: "go-on", path: request.path, entryId });
	// pi takes it from us into its editor.
	if (tools.pi.isHost && !request.inWindow) return resumeSession(request, tools, sayAgain, earlier);
	const copied = sayAgain === undefined ? undefined : await copyText([sayAgain], "the prompt's text", tools);
	const texts = [earlier, copied].flatMap((message) => message?.text ?? []);
	const message = copied ?? earlier;
	return resumeSession(request, tools, undefined, message && { ...message, text: texts.join(". ") });
}

/** Takes the files back only once it is certain that pi can go on. */
async function rewind(effect: EffectOf<"rewind">, tools: ChangeCapabilities): Promise<Action | undefined> {
	const { files, next } = effect;
	if (next.type === "leave") {
		await makeNoted(files, tools);
		tools.terminal.leave(next.outcome);
		return undefined;
	}
	const { request } = next;
	if ((await checkShown(next, tools.store)) !== undefined) {
		const text = `${quote(files.title)} may be in use by now: no file was taken back, and nothing resumed`;
		return { type: "done", message: { text, tone: "warning" } };
	}
	if (!(await canStart(request, tools))) return resumeSession(request, tools);
	// The menu that led here has said what may fail at the entry.
	const agreed = { ...effect, next: { ...next, request: { ...request, stopsTurn: true } } };
	const question = askAboutTurn(request, agreed, tools);
	if (question !== undefined) return question;
	const { message } = await makeNoted(files, tools);
	return resumeFrom(next, tools, message);
}

/** Checks the session of an effect again; undefined if it is as the person was shown, else an action that says what changed. */
export async function checkShown(
	effect: GuardedEffect,
	{ checkUse }: Pick<SessionAccess, "checkUse">,
): Promise<Action | undefined> {
	const session = effect.type === "change-sessions" ? onlyOf(effect) : effect.request.shown;
	const act = actOf(effect);
	if (session === undefined || isAlwaysFree(act)) return undefined;
	const { row } = session;
	const { decision, uses } = guardAgain(act, await checkUse([row.path]), session);
	if (decision !== "free") return { type: "in-use", effect, now: { row, uses } };
	if (effect.type === "change-sessions" || statOf(row.path)?.isFile() === true) return undefined;
	const text = `Cannot resume "${sessionTitle(row)}": its file ${row.path} is no longer there.`;
	return { type: "done", message: { text, tone: "warning" } };
}

/** The session of a change of one; of several, those in use are left out when their turn comes. */
function onlyOf({ sessions: [first, second] }: SessionsRequest): ShownSession | undefined {
	return second === undefined ? first : undefined;
}

/** Undefined if there is no such file, or it cannot be checked: the next step reports why. */
function statOf(path: string): Stats | undefined {
	try {
		return statSync(path);
	} catch {
		return undefined;
	}
}
