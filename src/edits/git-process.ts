import { type ChildProcessWithoutNullStreams, type ExecFileException, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";

/** Why Git does not know: one sentence without a full stop. */
export interface GitReason {
	readonly reason: string;
}

export function isReason(value: unknown): value is GitReason {
	return typeof value === "object" && value !== null && "reason" in value;
}

/** How Git is started: its environment, and the directory that it is started in. */
export interface GitPlace {
	readonly directory: string;
	readonly env: NodeJS.ProcessEnv;
	/** Ends it. */
	readonly signal?: AbortSignal | undefined;
}

/** All that Git gets of our own environment. */
const KEPT = /^(?:PATH|PATHEXT|SYSTEMROOT|TMPDIR|TEMP|TMP|HOME|USERPROFILE)$/i;
/** Of the person's own configuration, which says whose repositories may be looked at. */
const PERSONAL =
	/^(?:XDG_CONFIG_HOME|HOMEDRIVE|HOMEPATH|SUDO_UID|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|(?:KEY|VALUE)_\d+))$/i;
/** Git locks nothing, fetches nothing, asks nobody, and traces into no file. */
const ALWAYS = {
	...{ LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
	// Older versions do not know the first one, and then start a `git fetch` that may use no protocol.
	...{ GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" },
	...{ GIT_TRACE2: "0", GIT_TRACE2_EVENT: "0", GIT_TRACE2_PERF: "0" },
};
const NO_CONFIGURATION = { GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", GIT_ATTR_NOSYSTEM: "1" };

/** The environment of Git: nothing of ours but what it needs to run; `isPersonal`: with the person's configuration. */
export function gitEnvironment(more: Readonly<Record<string, string>>, isPersonal = false): NodeJS.ProcessEnv {
	const keptVariables = Object.entries(process.env).filter(
		([name]) => KEPT.test(name) || (isPersonal && PERSONAL.test(name)),
	);
	return { ...Object.fromEntries(keptVariables), ...ALWAYS, ...(isPersonal ? {} : NO_CONFIGURATION), ...more };
}

/** What the configuration of the repository itself says is overruled, and a path is not taken as a pattern. */
const SWITCHES = [
	...["--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"],
	...["-c", "core.attributesFile=/dev/null", "-c", "core.quotePath=true", "-c", "safe.bareRepository=explicit"],
];
/** More than Git prints about anything that people read. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Runs Git; resolves to the bytes that it printed. `input`: its standard input. Never rejects. */
function runGit(args: readonly string[], place: GitPlace, input = ""): Promise<Buffer | GitReason> {
	const { directory, env, signal } = place;
	return new Promise((resolve) => {
		try {
			const child = execFile(
				"git",
				[...SWITCHES, ...args],
				{ cwd: directory, maxBuffer: MAX_BYTES, encoding: "buffer", env, signal, windowsHide: true },
				(error, stdout, stderr) =>
					resolve(error === null ? stdout : { reason: gitReason(error, stderr.toString("utf8"), place) }),
			);
			// Git may end before it has read all of it, and then says why.
			child.stdin?.on("error", () => undefined);
			child.stdin?.end(input);
		} catch (error) {
			// What Node refuses to start: a NUL in an argument, or too long ones.
			resolve(notStarted(error));
		}
	});
}

/** The same with text. */
export async function readGit(args: readonly string[], place: GitPlace, input?: string): Promise<string | GitReason> {
	const output = await runGit(args, place, input);
	return isReason(output) ? output : output.toString("utf8");
}

/** Starts Git without waiting for it. Throws what Node refuses to start. */
export function startGit(args: readonly string[], place: GitPlace): ChildProcessWithoutNullStreams {
	const { directory, env, signal } = place;
	return spawn("git", [...SWITCHES, ...args], { cwd: directory, env, signal, windowsHide: true });
}

export function notStarted(error: unknown): GitReason {
	return { reason: `git cannot be started: ${error instanceof Error ? error.message : String(error)}` };
}

/** Why it failed. `stderr`: what it said itself. */
export function gitReason(
	error: Pick<ExecFileException, "code" | "message">,
	stderr: string,
	{ directory }: GitPlace,
): string {
	if (error.code === "ENOENT")
		return existsSync(directory)
			? "git cannot be started: it is not installed"
			: `git cannot be started: there is no ${directory}`;
	const lines = stderr.trim().split("\n");
	const first = lines.find((line) => line.startsWith("fatal:")) ?? lines[0] ?? "";
	if (/not a git repository/i.test(first)) return "it is not in a Git repository";
	if (/^fatal: no such path/.test(first)) return "Git does not have the file";
	return `git failed: ${first === "" ? error.message : first.replace(/^(?:fatal|error): /, "")}`;
}
