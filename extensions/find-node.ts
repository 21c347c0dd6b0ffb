import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { basename, delimiter, join } from "node:path";

/** The oldest Node that runs the browser, as in our package.json. */
const OLDEST = [22, 19] as const;

/** A program that does not say its version within this time is none, in milliseconds. */
const PATIENCE_MS = 5000;

let remembered: string | undefined;

/**
 * The Node that runs the browser: the one that `PI_GROVE_NODE` names, else that of pi itself, else the first of the PATH that
 * is new enough. (pi may be one file that has its own runtime inside, and is no Node that could run something else.)
 */
export async function findNode(): Promise<string> {
	const { execPath, version, versions } = process;
	remembered ??= await searchNode(process.env, { execPath, version, bun: versions.bun });
	return remembered;
}

/** What pi runs on. */
interface Runtime {
	readonly execPath: string;
	readonly version: string;
	readonly bun: string | undefined;
}

/** `findNode` in this environment, for a pi on this runtime. */
export async function searchNode(env: NodeJS.ProcessEnv, { execPath, version, bun }: Runtime): Promise<string> {
	const named = env.PI_GROVE_NODE;
	if (named !== undefined && named !== "") return named;
	const name = process.platform === "win32" ? "node.exe" : "node";
	if (bun === undefined && basename(execPath) === name && isNew(version)) return execPath;
	const seen: string[] = [];
	for (const directory of (env.PATH ?? "").split(delimiter)) {
		const path = join(directory, name);
		if (directory === "" || !isExecutable(path)) continue;
		const found = await versionOf(path);
		if (isNew(found)) return path;
		seen.push(`${path} is ${found === "" ? "no Node" : found}`);
	}
	const reason = seen.length === 0 ? "there is no node in the PATH" : seen.join(", ");
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

/** "v22.19.0"; empty where the program does not say one. */
function versionOf(path: string): Promise<string> {
	return new Promise((resolve) => {
		execFile(path, ["--version"], { timeout: PATIENCE_MS }, (_error, said) =>
			resolve(/^v\d[\w.-]*/.exec(said)?.[0] ?? ""),
		);
	});
}
