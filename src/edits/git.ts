import { type ExecFileException, execFile } from "node:child_process";

/** Why Git does not know: one sentence without a full stop. */
export interface GitReason {
	readonly reason: string;
}

/** More than Git prints for any file that people read. */
const MAX_BYTES = 512 * 1024 * 1024;
/** The repository's configuration must not run programs or hide commits, and a path must not be taken as a pattern. */
const SWITCHES = [
	"--literal-pathspecs",
	"--no-pager",
	...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "blame.ignoreRevsFile="],
	...["-c", "core.quotePath=true"],
];
/** Where Git itself has started us, in a hook or an alias, these name the repository of that. */
const OF_CALLER = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"];

/** Runs Git in a directory; resolves to the text that it printed. `signal`: ends it. */
export async function git(
	directory: string,
	args: readonly string[],
	signal?: AbortSignal,
): Promise<string | GitReason> {
	const output = await gitBytes(directory, args, "", signal);
	return Buffer.isBuffer(output) ? output.toString("utf8") : output;
}

/** The same with the bytes that it printed; `input`: its standard input. */
function gitBytes(
	directory: string,
	args: readonly string[],
	input = "",
	signal?: AbortSignal,
): Promise<Buffer | GitReason> {
	const env: NodeJS.ProcessEnv = { ...process.env, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
	for (const name of OF_CALLER) delete env[name];
	return new Promise((resolve) => {
		const child = execFile(
			"git",
			["-C", directory, ...SWITCHES, ...args],
			{ maxBuffer: MAX_BYTES, encoding: "buffer", env, signal },
			(error, stdout, stderr) =>
				resolve(error === null ? stdout : { reason: reasonOf(error, stderr.toString("utf8")) }),
		);
		// Git may end before it has read all of it, and then says why.
		child.stdin?.on("error", () => undefined);
		child.stdin?.end(input);
	});
}

/** The contents of objects by the names that they are asked by; what the repository does not have is left out. */
export async function gitObjects(
	directory: string,
	names: readonly string[],
	signal?: AbortSignal,
): Promise<ReadonlyMap<string, Buffer>> {
	const objects = new Map<string, Buffer>();
	if (names.length === 0) return objects;
	const output = await gitBytes(directory, ["cat-file", "--batch"], `${names.join("\n")}\n`, signal);
	if (!Buffer.isBuffer(output)) return objects;
	let at = 0;
	for (const name of names) {
		const end = output.indexOf("\n", at);
		// "<name> missing", or "<hash> <type> <bytes>".
		const bytes = / [a-z]+ (\d+)$/.exec(output.toString("utf8", at, end))?.[1];
		at = end + 1;
		if (bytes === undefined) continue;
		objects.set(name, output.subarray(at, at + Number(bytes)));
		at += Number(bytes) + 1;
	}
	return objects;
}

function reasonOf(error: ExecFileException, stderr: string): string {
	if (error.code === "ENOENT") return "git cannot be started: it is not installed";
	const lines = stderr.trim().split("\n");
	const first = lines.find((line) => line.startsWith("fatal:")) ?? lines[0] ?? "";
	if (/not a git repository/i.test(first)) return "it is not in a Git repository";
	if (/^fatal: no such path/.test(first)) return "Git does not have the file";
	return first === "" ? `git failed: ${error.message}` : `git failed: ${first.replace(/^fatal: /, "")}`;
}
