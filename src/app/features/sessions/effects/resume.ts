import { basename } from "node:path";
import type { SessionRoots } from "../../../../catalog/model/session-roots.ts";
import { quote } from "../../../../ui/text/quote.ts";
import type { Tone } from "../../../../ui/view.ts";
import { findProgram, isDirectory } from "../../../world/effects/find-program.ts";
import type { LendTerminal, ProgramEnd } from "../../../world/effects/terminal-program.ts";
import type { Action } from "../../../world/state/action.ts";
import type { GuardedEffect } from "../../../world/state/effect.ts";
import type { Outcome, PiRun, ResumeRequest } from "../../../world/state/outcome.ts";
import type { PiCommand } from "./pi-command.ts";
import { openTmuxWindow } from "./tmux-window.ts";

type ResumeEffect = Extract<GuardedEffect, { type: "resume" | "resume-from" }>;

/** What a resume needs of the world outside. */
export interface ResumeTools {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly pi: PiCommand;
	/** Whether the browser leaves when pi starts: the person wants that, or there is no terminal to take back. */
	readonly leavesForPi: () => boolean;
	/** Whether pi is not started, since somebody waits for a choice: the pi that started the browser, or a shell. */
	readonly chooses: boolean;
	/** Whether a turn is running in the pi that started the browser. */
	readonly isPiBusy?: () => boolean;
	/** The title of a session, as the list shows it; undefined when it is not listed. */
	readonly titleOf: (path: string) => string | undefined;
	/** pi needs a flag when sessions are not in the default directory. */
	readonly sessionRoots: SessionRoots;
	readonly lendTerminal: LendTerminal;
	/** Tells other windows that a process has a session; returns what ends that. */
	readonly noteUse: (path: string, pid: number) => () => void;
	/** Has the catalog look anew at what is in use. */
	readonly look: (paths: readonly string[]) => Promise<unknown>;
	readonly leave: (outcome: Outcome) => void;
}

/**
 * Runs pi with a session, if both can be found, and comes back when it ends; or chooses the session. `sayAgain`: what was said
 * there, for pi's editor.
 */
export async function resume(
	request: ResumeRequest,
	tools: ResumeTools,
	sayAgain?: string,
): Promise<Action | undefined> {
	const { pi, sessionRoots } = tools;
	if (tools.chooses && !request.inWindow) {
		const question = askAboutTurn({ type: "resume", request }, tools);
		if (question !== undefined) return question;
		const { path, cwd } = request;
		const text = sayAgain === undefined ? {} : { text: sayAgain };
		// Where its directory is gone, pi asks itself.
		tools.leave({ kind: "chosen", choice: { action: "resume", path, cwd, ...text } });
		return undefined;
	}
	const command = await findProgram(pi.program, tools.env);
	if (command === undefined) {
		return say(
			`Cannot resume: there is no program "${pi.program}" on the PATH; install pi, or name it with --pi`,
			"error",
		);
	}
	const { path, cwd } = request;
	if (!(await isDirectory(cwd))) return { type: "directory-missing", request };
	const chosen = sessionRoots.kind === "custom" ? ["--session-dir", sessionRoots.dir] : [];
	const run: PiRun = { path, cwd, command, args: [...pi.args, ...chosen, "--session", path] };
	if (request.inWindow) return openWindow(run, tools);
	if (tools.leavesForPi()) {
		tools.leave({ kind: "resume", ...run });
		return undefined;
	}
	const end = await tools.lendTerminal({ command, args: run.args, cwd, session: path });
	if (end === undefined) return say("Another program has the terminal: nothing was resumed", "warning");
	if ("leaves" in end) {
		tools.leave({ kind: "quit", exitCode: end.code });
		return undefined;
	}
	return { type: "back", path, message: messageOf(end, pi, cwd) };
}

/** Asks before the turn is stopped that is running in pi; undefined where none is, or the person has agreed. */
export function askAboutTurn(effect: ResumeEffect, { isPiBusy, titleOf }: ResumeTools): Action | undefined {
	const { request } = effect;
	if (request.inWindow || request.stopsTurn === true || isPiBusy?.() !== true) return undefined;
	const title = titleOf(request.path) ?? basename(request.path);
	const agreed = { ...effect, request: { ...request, stopsTurn: true } };
	return {
		type: "ask",
		question: {
			title: "A turn is running in pi",
			body: [`Going on with ${quote(title)} stops it.`],
			choices: [{ label: "Cancel" }, { label: "Stop the running turn, and go on there", effect: agreed }],
			danger: true,
		},
	};
}

/** The browser stays, and its list shows that the session is in use. */
async function openWindow(run: PiRun, { env, noteUse, look }: ResumeTools): Promise<Action> {
	const onOpened = noteUse(run.path, process.pid);
	try {
		const opened = await openTmuxWindow(run, env);
		if ("failure" in opened) return say(`Cannot open a window of tmux: ${opened.failure}`, "error");
		// Nobody hears of its end: the note counts while that process lives.
		noteUse(run.path, opened.pid);
		return { type: "done", message: { text: "Opened in a new window of tmux", tone: "text" }, select: run.path };
	} finally {
		onOpened();
		await look([run.path]);
	}
}

/** Whether pi can be started there: before anything is changed for it. */
export async function canStart({ cwd, inWindow }: ResumeRequest, { pi, env, chooses }: ResumeTools): Promise<boolean> {
	if (chooses && !inWindow) return true;
	return (await findProgram(pi.program, env)) !== undefined && (await isDirectory(cwd));
}

/** What there is to say of a pi that has ended; nothing where all was well. */
function messageOf(end: ProgramEnd, { program }: PiCommand, cwd: string): { text: string; tone: Tone } | undefined {
	if ("failure" in end) return { text: `Cannot start ${program} in ${cwd}: ${end.failure}`, tone: "error" };
	return end.code === 0 ? undefined : { text: `pi ended with exit code ${end.code}`, tone: "warning" };
}

function say(text: string, tone: Tone): Action {
	return { type: "done", message: { text, tone } };
}
