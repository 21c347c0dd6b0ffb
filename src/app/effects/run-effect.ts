import { branchSession, forkSession, labelEntry, renameSession, resumePoint } from "../../store/session-actions.ts";
import { trashSession } from "../../store/trash.ts";
import type { Action } from "../action.ts";
import type { Effect } from "../effect.ts";
import type { Outcome, ResumeRequest } from "../outcome.ts";
import type { Message } from "../state.ts";
import { clipboardSequence } from "./clipboard.ts";
import { findProgram, isDirectory } from "./find-program.ts";
import type { SessionReader } from "./session-reader.ts";

/** What effects need of the world. */
export interface EffectTools {
	readonly reader: SessionReader;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Program that resumes a session: "pi", or what `--pi` says. */
	readonly pi: string;
	/** A session directory that the person has chosen; pi must be told too. */
	readonly sessionDir: string | undefined;
	/** Has the catalog compare itself with the disk; it tells itself what it finds and what is in the way. */
	readonly refresh: () => void;
	/** Writes past the screen, for sequences that draw nothing. */
	readonly writeTerminal: (text: string) => void;
	readonly leave: (outcome: Outcome) => void;
}

/** Does one effect; resolves to the action that tells how it went, or undefined when there is nothing to tell. */
export async function runEffect(effect: Effect, tools: EffectTools): Promise<Action | undefined> {
	switch (effect.type) {
		case "read-session": {
			const { request } = effect;
			try {
				const session = await tools.reader.read(effect.path);
				return session === undefined ? undefined : { type: "session-read", request, session };
			} catch (error) {
				return { type: "session-failed", request, message: reasonOf(error) };
			}
		}
		case "rename":
			return tell(tools, async () => {
				await renameSession(effect.path, effect.name);
				return effect.name === "" ? "Name cleared" : `Renamed to ${effect.name}`;
			});
		case "label":
			return tell(tools, async () => {
				await labelEntry(effect.path, effect.entryId, effect.label === "" ? undefined : effect.label);
				return effect.label === "" ? "Label removed" : `Labeled ${effect.label}`;
			});
		case "branch":
			return create(tools, () => branchSession(effect.path, effect.entryId), "Branched into a new session");
		case "fork": {
			const made = await create(
				tools,
				() => forkSession(effect.path, effect.cwd, tools.sessionDir),
				"Forked into a new session",
			);
			if (!effect.resume || made.type !== "done" || made.created === undefined) return made;
			return resume({ path: made.created, cwd: effect.cwd }, tools);
		}
		case "trash":
			return tell(tools, async () => {
				await trashSession(effect.path);
				return "Moved to the trash";
			});
		case "resume":
			return resume(effect.request, tools);
		case "resume-from":
			return resumeFrom(effect.request, effect.entryId, tools);
		case "copy":
			return copy(effect.text, effect.what, tools);
		case "refresh":
			tools.refresh();
			return undefined;
		case "leave":
			tools.leave(effect.outcome);
			return undefined;
	}
}

async function resume(request: ResumeRequest, tools: EffectTools): Promise<Action | undefined> {
	const command = await findProgram(tools.pi, tools.env);
	if (command === undefined) {
		return problem(`Cannot resume: there is no program "${tools.pi}" on the PATH; install pi, or name it with --pi`);
	}
	if (!(await isDirectory(request.cwd))) return { type: "directory-missing", request };
	const place = tools.sessionDir === undefined ? [] : ["--session-dir", tools.sessionDir];
	tools.leave({ kind: "resume", cwd: request.cwd, command, args: [...place, "--session", request.path] });
	return undefined;
}

/** Nothing is appended before it is certain that pi can start: a resume point without a resume would move the leaf for nothing. */
async function resumeFrom(request: ResumeRequest, entryId: string, tools: EffectTools): Promise<Action | undefined> {
	if ((await findProgram(tools.pi, tools.env)) === undefined || !(await isDirectory(request.cwd)))
		return resume(request, tools);
	try {
		const { text } = await resumePoint(request.path, entryId);
		const sequence = text === undefined ? undefined : clipboardSequence(text);
		if (sequence !== undefined) tools.writeTerminal(sequence);
	} catch (error) {
		return problem(reasonOf(error));
	}
	return resume(request, tools);
}

function copy(text: string, what: string, tools: EffectTools): Action {
	const sequence = clipboardSequence(text);
	if (sequence === undefined) return problem(`Cannot copy ${what}: it is too long for the terminal's clipboard`);
	tools.writeTerminal(sequence);
	return done({ text: `Copied ${what}`, tone: "text" });
}

async function create(
	tools: EffectTools,
	make: () => Promise<string>,
	text: string,
): Promise<Action & { type: "done" }> {
	try {
		const created = await make();
		tools.refresh();
		return { ...done({ text, tone: "text" }), created };
	} catch (error) {
		return problem(reasonOf(error));
	}
}

async function tell(tools: EffectTools, work: () => Promise<string>): Promise<Action> {
	try {
		const text = await work();
		tools.refresh();
		return done({ text, tone: "text" });
	} catch (error) {
		return problem(reasonOf(error));
	}
}

function problem(text: string): Action & { type: "done" } {
	return done({ text, tone: "error" });
}

function done(message: Message): Action & { type: "done" } {
	return { type: "done", message };
}

function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
