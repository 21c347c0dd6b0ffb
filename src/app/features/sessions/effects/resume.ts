import { basename } from "node:path";
import type { Message } from "../../../../changes/engine/answer.ts";
import type { Tone } from "../../../../ui/text/line.ts";
import { quote } from "../../../../ui/text/width.ts";
import type { ChangeCapabilities, ProgramEnd } from "../../../world/effects/capabilities.ts";
import { findProgram, isDirectory } from "../../../world/effects/find-program.ts";
import type { EffectOf } from "../../../world/effects/runners.ts";
import type { Action } from "../../../world/state/action.ts";
import type { PiRun, ResumeRequest } from "../../../world/state/effect.ts";
import { openTmuxWindow } from "./tmux-window.ts";

type ResumeEffect = EffectOf<"resume" | "resume-from">;

/**
 * Runs pi with a session, if both can be found, and resolves when it ends; or chooses the session. `sayAgain`: a message for pi's
 * editor, to be sent again. `copied`: where such a message was put instead, which the person is told before pi starts and after.
 */
export async function resume(
	request: ResumeRequest,
	tools: ChangeCapabilities,
	sayAgain?: string,
	copied?: Message,
): Promise<Action | undefined> {
	const { pi, store, disk, terminal } = tools;
	if (pi.chooses && !request.inWindow) {
		const question = askAboutTurn({ type: "resume", request }, tools);
		if (question !== undefined) return question;
		const { path, cwd } = request;
		const text = sayAgain === undefined ? {} : { text: sayAgain };
		// If its directory is gone, pi itself asks.
		terminal.leave({ kind: "chosen", choice: { action: "resume", path, cwd, ...text } });
		return undefined;
	}
	const { program, args } = pi.command;
	const command = await findProgram(program, disk.env);
	if (command === undefined) {
		return say(
			`Cannot resume: there is no program "${program}" on the PATH; install pi, or name it with --pi`,
			"error",
		);
	}
	const { path, cwd } = request;
	if (!(await isDirectory(cwd))) return { type: "directory-missing", request };
	const chosen = store.roots.kind === "custom" ? ["--session-dir", store.roots.dir] : [];
	const told = copied && { note: copied.text };
	const run: PiRun = { path, cwd, command, args: [...args, ...chosen, "--session", path], ...told };
	if (request.inWindow) return openWindow(run, tools);
	if (pi.replacesBrowser()) {
		terminal.leave({ kind: "resume", ...run });
		return undefined;
	}
	const end = await terminal.lend({ command, args: run.args, cwd, session: path, ...told });
	if (end === undefined) return say("Another program has the terminal: nothing was resumed", "warning");
	if ("leaves" in end) {
		terminal.leave({ kind: "quit", exitCode: end.code });
		return undefined;
	}
	return { type: "back", path, message: messageOf(end, program, cwd) ?? copied };
}

/** Asks before the turn that is running in pi is stopped; undefined if none is running, or the person has agreed. */
export function askAboutTurn(
	effect: ResumeEffect,
	{ pi, store }: Pick<ChangeCapabilities, "pi" | "store">,
): Action | undefined {
	const { request } = effect;
	if (request.inWindow || request.stopsTurn === true || !pi.isBusy()) return undefined;
	const title = store.titleOf(request.path) ?? basename(request.path);
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

/** Opens pi in a window of tmux. The browser stays, and its list shows that the session is in use. */
async function openWindow(run: PiRun, { pi, store, disk }: ChangeCapabilities): Promise<Action> {
	const onOpened = pi.noteUse(run.path, process.pid);
	try {
		const opened = await openTmuxWindow(run, disk.env);
		if ("failure" in opened) return say(`Cannot open a window of tmux: ${opened.failure}`, "error");
		// Its end is not reported: the note counts while that process lives.
		pi.noteUse(run.path, opened.pid);
		const where = run.note === undefined ? "" : `. ${run.note}`;
		return {
			type: "done",
			message: { text: `Opened in a new window of tmux${where}`, tone: "text" },
			select: run.path,
		};
	} finally {
		onOpened();
		await store.checkUse([run.path]);
	}
}

/** Whether pi can be started, to be known before anything is changed for it. */
export async function canStart({ cwd, inWindow }: ResumeRequest, { pi, disk }: ChangeCapabilities): Promise<boolean> {
	if (pi.chooses && !inWindow) return true;
	return (await findProgram(pi.command.program, disk.env)) !== undefined && (await isDirectory(cwd));
}

/** The message after pi has ended; none if it succeeded. */
function messageOf(end: ProgramEnd, program: string, cwd: string): { text: string; tone: Tone } | undefined {
	if ("failure" in end) return { text: `Cannot start ${program} in ${cwd}: ${end.failure}`, tone: "error" };
	return end.code === 0 ? undefined : { text: `pi ended with exit code ${end.code}`, tone: "warning" };
}

function say(text: string, tone: Tone): Action {
	return { type: "done", message: { text, tone } };
}
