import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** The command line of pi-grove, without its arguments. Rejects with what to do if it is not built or there is no Node. */
export async function findProgram(): Promise<readonly string[]> {
	if (!existsSync(PROGRAM)) {
		const folder = fileURLToPath(new URL("..", import.meta.url));
		throw new Error(`${PROGRAM} is missing: this pi-grove is not built. Run "npm ci && npm run build" in ${folder}.`);
	}
	return [await findNode(), PROGRAM];
}

/** pi's own `--session-dir` as arguments; pi-grove knows all other ways to set the directory of sessions. */
export function sessionDirArguments(argv: readonly string[] = process.argv): readonly string[] {
	const index = argv.indexOf("--session-dir");
	const directory = index === -1 ? undefined : argv[index + 1];
	return directory === undefined ? [] : ["--session-dir", directory];
}

/** The oldest Node that runs the browser, as in our package.json. */
const OLDEST = [22, 19] as const;

/** A program that does not print its version within this time is not used. */
const VERSION_MS = 5000;

let knownNode: string | undefined;

/**
 * The Node that runs the browser: the one that `PI_GROVE_NODE` names, else the one of pi itself, else the first in the PATH that is
 * new enough. (pi may be a single file with its own runtime, which cannot run other programs.)
 */
async function findNode(): Promise<string> {
	const { execPath, version, versions } = process;
	knownNode ??= await searchNode(process.env, { execPath, version, bun: versions.bun });
	return knownNode;
}

interface Runtime {
	readonly execPath: string;
	readonly version: string;
	readonly bun: string | undefined;
}

/** Finds the Node in this environment, for a pi on this runtime. Rejects with what to do if there is none. */
export async function searchNode(env: NodeJS.ProcessEnv, { execPath, version, bun }: Runtime): Promise<string> {
	const named = env.PI_GROVE_NODE;
	if (named !== undefined && named !== "") return named;
	const name = process.platform === "win32" ? "node.exe" : "node";
	if (bun === undefined && basename(execPath) === name && isNew(version)) return execPath;
	const rejections: string[] = [];
	for (const directory of (env.PATH ?? "").split(delimiter)) {
		const path = join(directory, name);
		if (directory === "" || !isExecutable(path)) continue;
		const nodeVersion = await versionOf(path);
		if (isNew(nodeVersion)) return path;
		rejections.push(`${path} is ${nodeVersion === "" ? "not Node" : nodeVersion}`);
	}
	const reason = rejections.length === 0 ? "there is no node in the PATH" : rejections.join(", ");
	throw new Error(
		`the browser needs Node ${OLDEST.join(".")} or newer, and ${reason}. Install it, or start pi with PI_GROVE_NODE=/path/to/node.`,
	);
}

function isNew(version: string): boolean {
	const [, major = "0", minor = "0"] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
	const [oldestMajor, oldestMinor] = OLDEST;
	return Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor);
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** "v22.19.0"; "" if the program does not print a version. */
function versionOf(path: string): Promise<string> {
	return new Promise((resolve) => {
		execFile(path, ["--version"], { timeout: VERSION_MS }, (_error, out) =>
			resolve(/^v\d[\w.-]*/.exec(out)?.[0] ?? ""),
		);
	});
}

export interface ProgramResult {
	/** 0: done; 1: nothing found; 2: failed; 70: an unexpected error. */
	readonly code: number;
	readonly out: string;
	readonly err: string;
}

/** More than any bounded command prints. */
const MAX_BYTES = 16_000_000;

/**
 * Runs a command of pi-grove to its end, without a terminal. `command`: the program and its arguments. Rejects if it cannot
 * be started, is aborted or is killed.
 */
export function runGrove(
	command: readonly string[],
	cwd: string,
	signal: AbortSignal | undefined,
): Promise<ProgramResult> {
	const [program = "", ...args] = command;
	const { PI_GROVE_HOST, FORCE_COLOR, ...env } = process.env;
	return new Promise((resolve, reject) => {
		const options = { cwd, env, maxBuffer: MAX_BYTES, windowsHide: true, ...(signal && { signal }) };
		const child = execFile(program, args, options, (error, out, err) => {
			const code = error === null ? 0 : error.code;
			if (typeof code === "number") resolve({ code, out, err });
			else if (signal?.aborted) reject(new Error("aborted"));
			else reject(new Error(`pi-grove could not be run: ${error?.message ?? "it was killed"}`));
		});
		// It must not wait for input.
		child.stdin?.end();
	});
}
