import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { messageOf } from "../../shared/attempt.ts";
import { join } from "../../shared/paths.ts";
import { readTextFileAsync } from "../../store/files/open-file.ts";
import { removePath } from "../../store/files/while-busy.ts";

/** In which a person says how they use Git. The other variables are of a caller, such as a hook, and name its repository. */
const OF_PERSON = /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|EXEC_PATH|ASKPASS|SSH.*|SSL.*|LFS_.*)$/;
/** A hook would note a directory that is not yet in its place. Windows would take no path of more than 260 characters. */
const SETTINGS = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.longpaths=true"];
const SWITCHES = ["--no-pager", ...SETTINGS.flatMap((each) => ["-c", each])];

/** Git's own words why it failed. */
interface GitFailure {
	readonly failure: string;
}

/** Runs Git in a directory, with the person's configuration; resolves to what it printed. */
export function runGit(directory: string, args: readonly string[], input = ""): Promise<string | GitFailure> {
	const ofPerson = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") || OF_PERSON.test(name));
	const env = { ...Object.fromEntries(ofPerson), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
	const options = { env, maxBuffer: Number.POSITIVE_INFINITY };
	return new Promise<string | GitFailure>((resolve) => {
		const child = execFile("git", ["-C", directory, ...SWITCHES, ...args], options, (error, stdout, stderr) => {
			const reason = stderr
				.split("\n")
				.find((line) => !/^(?:hint:|warning:|Preparing|Downloading|Filtering|$)/.test(line));
			if (error === null) resolve(stdout);
			else if (error.code === "ENOENT") resolve({ failure: "git is not installed" });
			else resolve({ failure: reason?.replace(/^(?:fatal|error): /, "") ?? error.message });
		});
		// Git may end before it has read all of it, and then says why.
		child.stdin?.on("error", () => undefined).end(input);
	}).catch((error: unknown) => ({ failure: messageOf(error) }));
}

/** The same; rejects where Git fails. */
export async function askGit(directory: string, args: readonly string[], input?: string): Promise<string> {
	const output = await runGit(directory, args, input);
	if (typeof output !== "string") throw new Error(output.failure);
	return output;
}

/** Merges two texts that were made from one, as `git merge-file` does: with marks where they do not meet. */
export async function mergeTexts(base: string, here: string, change: string): Promise<string> {
	const directory = await mkdtemp(join(tmpdir(), "pi-grove-"));
	try {
		const sides = { here, base, session: change };
		for (const [name, text] of Object.entries(sides)) await writeFile(join(directory, name), text, { mode: 0o600 });
		const names = Object.keys(sides);
		const args = ["merge-file", "-q", ...names.flatMap((name) => ["-L", name]), "--", ...names];
		const output = await runGit(directory, args);
		const merged = await readTextFileAsync(join(directory, "here"));
		// It ends with the number of conflicts.
		if (typeof output === "string" || merged.includes("<<<<<<< here\n")) return merged;
		throw new Error(`the texts cannot be merged: ${output.failure}`);
	} finally {
		await removePath(directory, { recursive: true, force: true });
	}
}

/** The switches that turn off all filters of a repository, such as that of Git LFS. */
export async function filtersOff(directory: string): Promise<readonly string[]> {
	const keys = await askGit(directory, ["config", "--name-only", "-z", "--get-regexp", "^filter\\."]).catch(() => "");
	const names = new Set(keys.split("\0").flatMap((key) => /^filter\.(.+)\./s.exec(key)?.[1] ?? []));
	const settings = ["smudge=", "clean=", "process=", "required=false"];
	return [...names].flatMap((name) => settings.flatMap((each) => ["-c", `filter.${name}.${each}`]));
}
