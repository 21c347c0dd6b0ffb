import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";

/** Bytes that are kept of the output. */
const MOST_OUTPUT = 4 * 1024 * 1024;
/** Bytes that are kept of the end of what it says about errors. */
const MOST_ERRORS = 4096;
/** How long output may take after the end: a program in the background may keep it open for ever. */
const LATE_MS = 300;
/** How long a command has to end after it is asked to. */
const ENDING_MS = 2000;

export interface ShellRun {
	/** Absolute path of the shell. */
	readonly shell: string;
	readonly script: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Ends the command. */
	readonly signal: AbortSignal;
}

export interface ShellEnd {
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
export function runShell({ shell, script, args, cwd, env, signal }: ShellRun): Promise<ShellEnd> {
	return new Promise((resolve) => {
		const child = spawn(shell, ["-c", script, "pi-grove", ...args], {
			cwd,
			env: { ...env },
			stdio: ["ignore", "pipe", "pipe"],
			detached: process.platform !== "win32",
			windowsHide: true,
		});
		const kept: Buffer[] = [];
		let bytes = 0;
		let errors = Buffer.alloc(0);
		child.stdout.on("data", (chunk: Buffer) => {
			if (bytes < MOST_OUTPUT) kept.push(chunk.subarray(0, MOST_OUTPUT - bytes));
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
			const output = textOf(Buffer.concat(kept));
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
		process.kill(process.platform === "win32" ? pid : -pid, name);
	} catch {
		// It has ended already.
		return;
	}
}

function textOf(bytes: Buffer): string {
	return stripVTControlCharacters(bytes.toString("utf8")).replaceAll("\r\n", "\n");
}
