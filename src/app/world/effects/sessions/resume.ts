import { stat } from "node:fs/promises";
import { notedWorktree } from "../../../../catalog/git/git-notes.ts";
import type { Rewound } from "../../../../catalog/model/counts.ts";
import type { Choice, Message } from "../../../../changes/answer.ts";
import { goesOnFrom, rewindSentences, sessionRewind } from "../../../../conversation/entries/leaf.ts";
import { failureIn, type ResumeReason } from "../../../../conversation/glance/can-resume.ts";
import { outlookSteps } from "../../../../conversation/glance/outlook.ts";
import { resumeViewOf } from "../../../../conversation/glance/resume-view.ts";
import { basename } from "../../../../shared/paths.ts";
import { TimeSlice } from "../../../../shared/steps.ts";
import { holdSession } from "../../../../store/held/hold-session.ts";
import { readSession, type Session } from "../../../../store/read/read-session.ts";
import { rewindPlace } from "../../../../store/tree/rewind.ts";
import type { Tone } from "../../../../ui/text/line.ts";
import { quote } from "../../../../ui/text/width.ts";
import type { Action } from "../../state/action.ts";
import type { Effect, PiRun, ResumeRequest } from "../../state/effect.ts";
import type { ChangeCapabilities, ProgramEnd } from "../capabilities.ts";
import { findProgram, isDirectoryAsync } from "../find-program.ts";
import type { EffectOf } from "../runners.ts";
import { openTmuxWindow } from "./tmux.ts";

type ResumeEffect = EffectOf<"resume" | "resume-from">;

/** Runs pi with a session until it ends, or chooses the session. `sayAgain`: for pi's editor. `copied`: where that went instead. */
export async function resumeSession(
	request: ResumeRequest,
	tools: ChangeCapabilities,
	sayAgain?: string,
	copied?: Message,
): Promise<Action | undefined> {
	const { pi, store, disk, terminal } = tools;
	const { first } = request;
	if (first !== undefined && Buffer.byteLength(first.text) > MAX_ARGUMENT_BYTES)
		return say("This is too long to start pi with: copy or save it, or send fewer comments", "warning");
	const noteSent = async (): Promise<void> => {
		if (first?.sent !== undefined) await tools.journal.make(first.sent);
	};
	if (pi.chooses && !request.inWindow) {
		const question = askAboutTurn(request, { type: "resume", request: { ...request, stopsTurn: true } }, tools);
		if (question !== undefined) return question;
		const { path, cwd } = request;
		const again = sayAgain ?? first?.text;
		const text = again === undefined ? {} : { text: again };
		await noteSent();
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
	if (!(await isDirectoryAsync(cwd))) {
		const worktree = notedWorktree(cwd, disk);
		const canBeMade =
			worktree !== undefined &&
			(await isDirectoryAsync(worktree.repository)) &&
			!(await isDirectoryAsync(worktree.path));
		return { type: "directory-missing", request, ...(canBeMade && { worktree }) };
	}
	const chosen = store.roots.kind === "custom" ? ["--session-dir", store.roots.dir] : [];
	const notice = copied && { note: copied.text };
	const run: PiRun = {
		path,
		cwd,
		command,
		args: [...args, ...chosen, "--session", path, ...(first ? [first.text] : [])],
		...notice,
	};
	await noteSent();
	if (request.inWindow) return openWindow(run, tools);
	if (pi.replacesBrowser()) {
		terminal.leave({ kind: "resume", ...run });
		return undefined;
	}
	const end = await terminal.lend({ command, args: run.args, cwd, session: path, ...notice });
	if (end === undefined) return say("Another program has the terminal: nothing was resumed", "warning");
	if ("leaves" in end) {
		terminal.leave({ kind: "quit", exitCode: end.code });
		return undefined;
	}
	return { type: "back", path, hasRun: !("failure" in end), message: messageOf(end, program, cwd) ?? copied };
}

/** Linux takes no longer argument. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;

/** Asks before the turn that is running in pi is stopped; undefined if none is, or the person has agreed. `agreed`: the effect then. */
export function askAboutTurn(
	request: ResumeRequest,
	agreed: Effect,
	{ pi, store }: Pick<ChangeCapabilities, "pi" | "store">,
): Action | undefined {
	if (request.inWindow || request.stopsTurn === true || !pi.isBusy()) return undefined;
	const title = store.titleOf(request.path) ?? basename(request.path);
	return {
		type: "ask",
		question: {
			title: "A turn is running in pi",
			body: [`Switching to ${quote(title)} stops it.`],
			choices: [{ label: "Cancel" }, { label: "Stop the turn, and switch", effect: agreed }],
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
	return (await findProgram(pi.command.program, disk.env)) !== undefined && (await isDirectoryAsync(cwd));
}

/** The message after pi has ended; none if it succeeded. */
function messageOf(end: ProgramEnd, program: string, cwd: string): { text: string; tone: Tone } | undefined {
	if ("failure" in end) return { text: `Cannot start ${program} in ${cwd}: ${end.failure}`, tone: "error" };
	return end.code === 0 ? undefined : { text: `pi ended with exit code ${end.code}`, tone: "warning" };
}

function say(text: string, tone: Tone): Action {
	return { type: "done", message: { text, tone } };
}

/** A larger session is checked only if nothing in it looks odd at first sight: parsing it would keep the person waiting. */
const MAX_BYTES = 64 * 1024 * 1024;

type Needs = Pick<ChangeCapabilities, "store" | "disk" | "pi">;

/** Checks a session before it is resumed; undefined if pi can continue, or the person knows that it cannot; else a question. */
export async function checkResume(effect: ResumeEffect, tools: Needs): Promise<Action | undefined> {
	const { path, isWarned } = effect.request;
	if (isWarned === true) return undefined;
	const session = await readUpTo(path);
	if (session === undefined) return undefined;
	const rewound = effect.type === "resume" ? sessionRewind(session) : undefined;
	const title = tools.store.titleOf(path) ?? basename(path);
	if (rewound !== undefined) return askAboutRewind(effect, title, rewound, tools.disk.clock());
	const id = effect.type === "resume" ? session.tree.leafId : goesOnFrom(session, effect.entryId);
	const failure = await failureAt(session, id, tools);
	if (failure === undefined) return undefined;
	const parent = failure.entryId === undefined ? undefined : session.tree.parentOf.get(failure.entryId);
	const isBetter = parent !== undefined && (await failureAt(session, parent, tools)) === undefined;
	const choices: Choice<Effect>[] = [
		{ label: "Cancel" },
		...(isBetter ? [goBack(effect, parent)] : []),
		{ label: "Resume anyway", effect: warned(effect) },
	];
	return {
		type: "ask",
		question: { title: "pi cannot continue here", about: title, body: [failure.reason], choices, danger: true },
	};
}

/** Undefined if it cannot be read: the resume itself reports that. */
async function readUpTo(path: string): Promise<Session | undefined> {
	try {
		return (await stat(path)).size > MAX_BYTES ? await holdSession(path) : await readSession(path);
	} catch {
		return undefined;
	}
}

async function failureAt(session: Session, id: string | null, tools: Needs): Promise<ResumeReason | undefined> {
	const outlook = await new TimeSlice().run(outlookSteps(session, id));
	const question = { cwd: session.header?.cwd ?? "", models: outlook.model === undefined ? [] : [outlook.model] };
	const facts = await tools.pi.files.read(question);
	return failureIn(resumeViewOf(outlook, facts, tools.disk.clock()).reasons);
}

/** Most of the conversation may be hidden in pi, and only by chance. */
function askAboutRewind(effect: ResumeEffect, title: string, rewound: Rewound, now: number): Action {
	const { request } = effect;
	const choices: Choice<Effect>[] = [
		{
			label: "From the end of the conversation: adds one line to the session",
			effect: { type: "resume-from", request, entryId: rewound.endId },
		},
		{ label: `From ${rewindPlace(rewound)}, as pi would`, effect: warned(effect) },
		{ label: "Cancel" },
	];
	return {
		type: "ask",
		question: {
			title: "Resume from where?",
			about: title,
			body: rewindSentences(rewound, now),
			choices,
			danger: false,
		},
	};
}

function goBack({ request }: ResumeEffect, entryId: string): Choice<Effect> {
	const label = "From before it: adds one line to the session, so that pi continues there";
	return { label, effect: warned({ type: "resume-from", request, entryId }) };
}

function warned<Effect extends ResumeEffect>(effect: Effect): Effect {
	return { ...effect, request: { ...effect.request, isWarned: true } };
}
