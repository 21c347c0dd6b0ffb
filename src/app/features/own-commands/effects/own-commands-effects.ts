import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { messageOf } from "../../../../shared/attempt.ts";
import { type Env, thisSystem } from "../../../../shared/system.ts";
import type { Tone } from "../../../../ui/text/line.ts";
import { sanitizeLine } from "../../../../ui/text/sanitize.ts";
import { quote } from "../../../../ui/text/width.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { findShell, isDirectoryAsync } from "../../../world/effects/find-program.ts";
import type { EffectOf, Runners, RunTools } from "../../../world/effects/runners.ts";
import type { Action } from "../../../world/state/action.ts";
import type { OwnCommandsEffect } from "../feature.ts";

/** Characters of output in a message, and of stderr in a message about a failure. */
const MOST_OF_MESSAGE = 600;
const MOST_OF_ERRORS = 300;

type RunEffect = EffectOf<"run-own-command">;
type Tools = Pick<RunTools, "disk" | "terminal" | "latest">;

/** Runs the person's own commands, one at a time. */
export function ownCommandsEffects(): Runners<OwnCommandsEffect["type"], RunTools> {
	let stopping = new AbortController();
	return {
		async "run-own-command"(effect, tools) {
			stopping = new AbortController();
			const { signal } = stopping;
			try {
				return await run(effect, tools, signal);
			} catch (error) {
				return ended(effect, `Cannot run ${quote(effect.name)}: ${messageOf(error)}`, "error");
			}
		},
		"stop-own-command"() {
			stopping.abort();
			return undefined;
		},
	};
}

async function run(effect: RunEffect, tools: Tools, stopped: AbortSignal): Promise<Action> {
	const { disk, terminal } = tools;
	const { name, script, args } = effect;
	const shell = await findShell(disk.env);
	if (shell === undefined) {
		const advice = thisSystem.isUnix ? "" : "; install Git for Windows, which has one";
		const reason = `there is no program "sh" on the PATH, which runs own commands${advice}`;
		return ended(effect, `Cannot run ${quote(name)}: ${reason}`, "error");
	}
	const cwd = effect.cwd !== "" && (await isDirectoryAsync(effect.cwd)) ? effect.cwd : disk.cwd;
	if (effect.output === "terminal") {
		const end = await terminal.lend({ command: shell, args: ["-c", script, "pi-grove", ...args], cwd });
		if (end === undefined) return ended(effect, "Another program has the terminal: nothing was run", "warning");
		if ("failure" in end) return ended(effect, `Cannot run ${quote(name)}: ${end.failure}`, "error");
		return end.code === 0
			? ended(effect)
			: ended(effect, `${quote(name)} ended with exit code ${end.code}; what it said is above the browser`, "warning");
	}
	const end = await tools.latest((_, closing) =>
		runShell({ shell, script, args, cwd, env: disk.env, signal: AbortSignal.any([stopped, closing]) }),
	);
	if (end === undefined || stopped.aborted) return ended(effect, `Stopped ${quote(name)}`, "warning");
	const { failure, output, isCut, errors } = end;
	if (failure !== undefined)
		return ended(effect, `${quote(name)} failed: ${[failure, tail(errors)].filter(Boolean).join(": ")}`, "error");
	const text = output.replace(/\n+$/, "");
	const cut = isCut ? "; what came after 4 MB is left out" : "";
	switch (effect.output) {
		case "nothing":
			return ended(effect);
		case "clipboard": {
			if (text === "") return ended(effect, `${quote(name)} printed nothing to copy`, "warning");
			const message = await copyText([text], `what ${quote(name)} printed`, tools);
			return ended(effect, `${message.text}${cut}`, isCut ? "warning" : message.tone);
		}
		case "page":
			if (text === "") return ended(effect, `${quote(name)} printed nothing`, "text");
			return { ...ended(effect, isCut ? `${quote(name)}${cut}` : undefined, "warning"), page: text };
		case "message":
			return ended(effect, text === "" ? `${quote(name)} is done` : head(text), "text");
	}
}

type OwnCommandEnd = Extract<Action, { type: "own-command-ended" }>;

function ended({ name }: RunEffect, text?: string, tone: Tone = "text"): OwnCommandEnd {
	return { type: "own-command-ended", name, ...(text !== undefined && { message: { text, tone } }) };
}

/** The beginning of an output, in one line. */
function head(text: string): string {
	const line = sanitizeLine(text.slice(0, MOST_OF_MESSAGE * 4));
	return line.length > MOST_OF_MESSAGE ? `${line.slice(0, MOST_OF_MESSAGE)}…` : line;
}

/** The end of stderr, in one line. */
function tail(text: string): string {
	const line = sanitizeLine(text.trim());
	return line.length > MOST_OF_ERRORS ? `…${line.slice(-MOST_OF_ERRORS)}` : line;
}

/** Bytes that are kept of the output. */
const MOST_OUTPUT = 4 * 1024 * 1024;
/** Bytes that are kept of the end of stderr. */
const MOST_ERRORS = 4096;
/** How long output may take after the end: a program in the background may keep it open for ever. */
const LATE_MS = 300;
/** How long a command has to end after it is asked to. */
const ENDING_MS = 2000;

interface ShellRun {
	/** Absolute path of the shell. */
	readonly shell: string;
	readonly script: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Env;
	readonly signal: AbortSignal;
}

interface ShellEnd {
	/** "exit code 3", "SIGKILL", or why it could not be started; undefined if it succeeded. */
	readonly failure: string | undefined;
	/** Its output, without control sequences. */
	readonly output: string;
	/** Whether there was more output than is kept. */
	readonly isCut: boolean;
	/** The end of what it wrote to stderr. */
	readonly errors: string;
}

/** Runs a script with arguments, without the terminal, in a process group of its own, which a signal ends as a whole. */
function runShell({ shell, script, args, cwd, env, signal }: ShellRun): Promise<ShellEnd> {
	return new Promise((resolve) => {
		const child = spawn(shell, ["-c", script, "pi-grove", ...args], {
			cwd,
			env: { ...env },
			stdio: ["ignore", "pipe", "pipe"],
			detached: thisSystem.isUnix,
			windowsHide: true,
		});
		const chunks: Buffer[] = [];
		let bytes = 0;
		let errors = Buffer.alloc(0);
		child.stdout.on("data", (chunk: Buffer) => {
			if (bytes < MOST_OUTPUT) chunks.push(chunk.subarray(0, MOST_OUTPUT - bytes));
			bytes += chunk.length;
		});
		child.stderr.on("data", (chunk: Buffer) => {
			errors = Buffer.concat([errors, chunk]).subarray(-MOST_ERRORS);
		});
		let late: NodeJS.Timeout | undefined;
		let kill: NodeJS.Timeout | undefined;
		const stop = (): void => {
			signalGroup(child, "SIGTERM");
			kill = setTimeout(() => signalGroup(child, "SIGKILL"), ENDING_MS);
			kill.unref();
		};
		const end = (failure: string | undefined): void => {
			clearTimeout(late);
			clearTimeout(kill);
			signal.removeEventListener("abort", stop);
			child.stdout.destroy();
			child.stderr.destroy();
			const output = textOf(Buffer.concat(chunks));
			resolve({ failure, output, isCut: bytes > MOST_OUTPUT, errors: textOf(errors) });
		};
		child.once("error", ({ message }) => end(message));
		child.once("exit", (code, by) => {
			const failure = code === 0 ? undefined : code === null ? `${by}` : `exit code ${code}`;
			child.once("close", () => end(failure));
			late = setTimeout(() => end(failure), LATE_MS);
		});
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop, { once: true });
	});
}

function signalGroup({ pid, exitCode }: ChildProcess, name: NodeJS.Signals): void {
	if (pid === undefined || exitCode !== null) return;
	try {
		process.kill(thisSystem.isUnix ? -pid : pid, name);
	} catch {
		// It has ended already.
		return;
	}
}

function textOf(bytes: Buffer): string {
	return stripVTControlCharacters(bytes.toString("utf8")).replaceAll("\r\n", "\n");
}
