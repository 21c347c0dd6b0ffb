import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { programPath, type Sandbox } from "./sandbox.ts";

/** What a standard stream of the program is; "file" stands for all that is no terminal. */
export type Stream = "terminal" | "file" | "closed";

/** What input, output and errors of a program are. */
export type Stdio = readonly [input: Stream, output: Stream, errors: Stream];

/** All that is around a command line. */
export interface Situation {
	readonly stdio: Stdio;
	/** Columns and rows that the terminal says it has. */
	readonly size: readonly [columns: number, rows: number];
	/** What the environment has; null: what it has not. */
	readonly env: Readonly<Record<string, string | null>>;
}

/** A command line in a situation. */
export interface Step {
	readonly args: readonly string[];
	readonly situation: Situation;
}

/** How it ended. */
export interface Ended {
	/** Undefined: it did not. */
	readonly code: number | undefined;
	/** What it wrote on the terminal, whichever stream that was; line ends as it wrote them. */
	readonly shown: string;
	/** What it wrote into the file that was its stdout, and its stderr. */
	readonly out: string;
	readonly err: string;
}

/** Set before anything of a situation, so that what the tests run in does not count. */
const NO_ENV = {
	PAGER: "",
	TERM: null,
	LC_ALL: null,
	LANG: null,
	NO_COLOR: null,
	FORCE_COLOR: null,
	CI: null,
	COLORTERM: null,
};

/** What is asked for, and what is typed then. */
const QUESTION = /(?:\? \[[yYnN]\/[yYnN]\] |leave it: |Enter to cancel: )$/;
const ANSWER = "n\r";

/**
 * Runs command lines whose streams and locale are the same in one process on a pseudo-terminal, so that thousands of
 * situations cost few processes. What they ask is answered with no. One that does not end within the limit ends all.
 */
export async function runInSituations(sandbox: Sandbox, steps: readonly Step[], limitMs = 60_000): Promise<Ended[]> {
	const [first] = steps;
	if (first === undefined) return [];
	const { stdio, env } = first.situation;
	const directory = mkdtempSync(join(sandbox.directory("situations"), "run-"));
	const [plan, notes, out, err] = ["plan", "notes", "out", "err"].map((name) => join(directory, name)) as [
		string,
		string,
		string,
		string,
	];
	for (const path of [notes, out, err]) writeFileSync(path, "");
	const planned = steps.map(({ args, situation }) => ({
		args,
		size: situation.size,
		env: { ...NO_ENV, ...situation.env },
	}));
	writeFileSync(plan, JSON.stringify({ program: programPath, steps: planned }));
	// Held open, or the terminal would be gone before the program has opened it.
	const script = `exec 9<>/dev/tty; exec "$@" ${redirection(0, stdio[0], "/dev/null")} ${redirection(1, stdio[1], out)} ${redirection(2, stdio[2], err)}`;
	const child = join(import.meta.dirname, "situation-child.mjs");
	const shown = await onTerminal(["-c", script, "sh", process.execPath, child, plan, notes], {
		cwd: join(sandbox.home, "work", "api"),
		env: { ...ownEnvironment(), ...sandbox.env, ...withoutNull({ ...NO_ENV, ...env }) },
		limitMs,
	});
	return endsOf(steps.length, { shown, notes, out, err });
}

function redirection(fd: number, stream: Stream, path: string): string {
	if (stream === "terminal") return "";
	const sign = fd === 0 ? "<" : ">>";
	return stream === "closed" ? `${fd}${fd === 0 ? "<" : ">"}&-` : `${fd}${sign}'${path}'`;
}

interface OnTerminal {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	readonly limitMs: number;
}

/** Runs a shell in a pseudo-terminal of its own to its end; returns what it wrote there. */
function onTerminal(args: string[], { cwd, env, limitMs }: OnTerminal): Promise<string> {
	return new Promise((resolve) => {
		const terminal = spawn("/bin/sh", args, { cols: 80, rows: 24, cwd, env });
		let shown = "";
		const timer = setTimeout(() => terminal.kill("SIGKILL"), limitMs);
		terminal.onData((data) => {
			shown += data;
			if (QUESTION.test(shown)) terminal.write(ANSWER);
		});
		terminal.onExit(() => {
			clearTimeout(timer);
			resolve(shown);
		});
	});
}

interface Written {
	readonly shown: string;
	readonly notes: string;
	readonly out: string;
	readonly err: string;
}

/** What each of `count` command lines wrote and ended with. */
function endsOf(count: number, { shown, notes, out, err }: Written): Ended[] {
	const noted: readonly { code?: number; out: [number, number]; err: [number, number] }[] = readFileSync(notes, "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));
	const [output, errors] = [readFileSync(out), readFileSync(err)];
	const parts = shown.replaceAll("\r\n", "\n").split("\x1e").slice(1);
	return Array.from({ length: count }, (_, index) => {
		const note = noted[index];
		return {
			code: note?.code,
			shown: (parts[index] ?? "").replace(/^\d+\n/, ""),
			out: note === undefined ? "" : output.subarray(...note.out).toString(),
			err: note === undefined ? "" : errors.subarray(...note.err).toString(),
		};
	});
}

function ownEnvironment(): Record<string, string> {
	const { PI_CODING_AGENT_SESSION_DIR, NODE_OPTIONS, ...own } = withoutNull({ ...process.env, ...NO_ENV });
	return own;
}

function withoutNull(env: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
	);
}
