import type { Message } from "../../../../changes/answer.ts";
import { withoutRefused } from "../../../../changes/kinds/checkout.ts";
import { freeDirectory } from "../../../../changes/kinds/checkout-place.ts";
import { filesAtEntry } from "../../../../edits/files-at.ts";
import { dirname, join } from "../../../../shared/paths.ts";
import { filesQuestion } from "../../questions/files-question.ts";
import type { Action } from "../../state/action.ts";
import type { ChangeCapabilities } from "../capabilities.ts";
import { copyText } from "../copy-text.ts";
import { findOwnShell } from "../find-program.ts";
import type { EffectOf } from "../runners.ts";
import { askAboutTurn, canStart, resumeSession } from "./resume.ts";

/** Finds out what the files were when an entry was written, and asks what to do with them. */
export async function planFiles(
	{ session, entryId, title, words, others, rows, inWindow, inPlace }: EffectOf<"plan-files">,
	{ disk }: Pick<ChangeCapabilities, "disk">,
): Promise<Action> {
	const { home } = disk;
	const files = await withoutRefused(await filesAtEntry(session, entryId, { home, rows: others }));
	if (files.hasGitFailed) return { type: "done", message: { text: files.baseReason, tone: "error" } };
	const into = await freeDirectory(files, home);
	const context = { path: session.path, title, entryId, words, into, home, now: disk.clock(), rows };
	return { type: "ask", question: filesQuestion(files, { ...context, inWindow, inPlace }) };
}

/** Makes the directory, and goes on in it: in pi with the new session, or in a shell. */
export async function checkoutInto(
	effect: EffectOf<"checkout-into">,
	tools: ChangeCapabilities,
): Promise<Action | undefined> {
	const { request, opens, inWindow, stopsTurn } = effect;
	const cwd = join(request.into, request.inside);
	const toResume = { ...(inWindow && { inWindow }), ...(stopsTurn && { stopsTurn }) };
	if (opens === "pi") {
		// Nothing is made for a pi that cannot be started, or that the person does not want to stop.
		const start = { path: request.path, cwd: dirname(request.into), ...toResume };
		if (!(await canStart(start, tools))) return resumeSession(start, tools);
		const question = askAboutTurn(start, { ...effect, stopsTurn: true }, tools);
		if (question !== undefined) return question;
	}
	const { message, created, sayAgain } = await tools.journal.make(request);
	if (opens === "shell" || created === undefined) return openShell(cwd, message, tools);
	const resumed = { path: created, cwd, ...toResume };
	if (sayAgain === undefined || (tools.pi.isHost && !inWindow)) return resumeSession(resumed, tools, sayAgain, message);
	const { text } = await copyText([sayAgain], "the prompt's text", tools);
	return resumeSession(resumed, tools, undefined, { ...message, text: `${message.text}. ${text}` });
}

async function openShell(cwd: string, message: Message, tools: ChangeCapabilities): Promise<Action | undefined> {
	const command = await findOwnShell(tools.disk.env);
	if (tools.pi.replacesBrowser()) {
		tools.terminal.leave({ kind: "resume", path: "", cwd, command, args: [], note: message.text });
		return undefined;
	}
	const note = `${message.text}. Leave the shell to come back.`;
	const end = await tools.terminal.lend({ command, args: [], cwd, note });
	const failure = end !== undefined && "failure" in end ? `; ${command} cannot be started: ${end.failure}` : "";
	return { type: "done", message: failure === "" ? message : { text: `${message.text}${failure}`, tone: "warning" } };
}
