import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, extname, isAbsolute, join, resolve } from "../../../shared/paths.ts";
import { splitWords } from "../../../shared/split-words.ts";
import { type Env, type System, shellOf, thisSystem } from "../../../shared/system.ts";

/** Executable extensions on Windows without PATHEXT. */
const WINDOWS_ENDINGS = ".COM;.EXE;.BAT;.CMD";

/**
 * The absolute path of a program, found as a shell does: a name is searched for in PATH, anything with a slash is used as
 * it is. Undefined if there is no such executable. On Windows a program has an extension of PATHEXT: beside `pi.cmd`, npm
 * puts a `pi` that is a script for other shells.
 *
 * Not the `which` package: on Windows it searches the current directory first, so that a `pi.cmd` in somebody else's
 * repository would be run, and its newest version does not support all versions of Node that we do.
 */
export async function findProgram(command: string, env: Env, system: System = thisSystem): Promise<string | undefined> {
	const directories = /[/\\]/.test(command) ? [""] : directoriesOf(env, system);
	const extensions = system.isUnix ? [""] : windowsEndings(command, env);
	for (const directory of directories) {
		for (const extension of extensions) {
			const path =
				directory === "" || isAbsolute(command) ? resolve(command + extension) : join(directory, command + extension);
			if (await isProgram(path)) return path;
		}
	}
	return undefined;
}

/** The shell that the person works in; on Windows the PowerShell that the person has installed, else what ComSpec names. */
export async function findOwnShell(env: Env, system = thisSystem): Promise<string> {
	const powerShell = system.isUnix ? undefined : await findProgram("pwsh", env, system);
	return powerShell ?? shellOf(env, system);
}

/** A POSIX shell: `sh` on the PATH, or on Windows that of Git, which is seldom there. */
export async function findShell(env: Env, system = thisSystem): Promise<string | undefined> {
	const shell = await findProgram("sh", env, system);
	// `Git\cmd\git.exe`, or that in `bin`.
	const git = shell === undefined && !system.isUnix ? await findProgram("git", env, system) : undefined;
	return git === undefined ? shell : findProgram(join(dirname(git), "..", "bin", "sh.exe"), env, system);
}

/** The directories of PATH. An empty one is the current directory; on Windows, where PATH often ends with one, it is ignored. */
function directoriesOf(env: Env, { paths, isUnix }: System): string[] {
	const directories = (env.PATH ?? env.Path ?? "").split(paths.delimiter);
	return isUnix ? directories : directories.filter((directory) => directory !== "");
}

/** Extensions to try on Windows; none first, if the name already has one. */
function windowsEndings(command: string, { PATHEXT }: Env): string[] {
	const endings = (PATHEXT || WINDOWS_ENDINGS).split(";").filter((ending) => ending !== "");
	const extension = extname(command).toLowerCase();
	return endings.some((ending) => ending.toLowerCase() === extension) ? ["", ...endings] : endings;
}

export async function isDirectoryAsync(path: string): Promise<boolean> {
	return stat(path).then(
		(found) => found.isDirectory(),
		() => false,
	);
}

async function isProgram(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		// Missing or not executable: try the next directory.
		return false;
	}
}

/** The program that resumes a session, and the arguments before our own. */
export interface PiCommand {
	/** A name to find in PATH, or a path. */
	readonly program: string;
	readonly args: readonly string[];
}

/**
 * Reads a command line that starts pi, such as `pi --model x`. A program of exactly that name wins, so that a path with
 * spaces needs no quotes. `mistake`: why it is not a command, as the predicate of a sentence about it.
 */
export async function readPiCommand(text: string, env: Env): Promise<PiCommand | { readonly mistake: string }> {
	if ((await findProgram(text, env)) !== undefined) return { program: text, args: [] };
	const split = splitWords(text);
	if ("mistake" in split) return split;
	const [program = "", ...args] = split.words;
	return program === "" ? { mistake: "it names no program" } : { program, args };
}

export interface OutsideProgram {
	readonly command: string;
	/** Arguments before the file's path. */
	readonly args: readonly string[];
	/** Its name in messages: the value of the variable, or the program's name. */
	readonly name: string;
}

interface Wanted {
	/** Environment variables that name it; the first one set counts. */
	readonly variables: readonly string[];
	/** Programs to try if none of them is set. */
	readonly defaults: readonly (readonly string[])[];
	readonly word: string;
}

const WANTED: Readonly<Record<"editor" | "pager", Wanted>> = {
	editor: { variables: ["VISUAL", "EDITOR"], defaults: [["vi"], ["vim"], ["nano"], ["notepad"]], word: "editor" },
	pager: { variables: ["PAGER"], defaults: [["less", "-R"], ["more"]], word: "pager" },
};

/** The person's editor or pager; a string says why none was found. */
export async function findOutsideProgram(
	kind: "editor" | "pager",
	env: Env,
	system: System = thisSystem,
): Promise<OutsideProgram | string> {
	const { variables, defaults, word } = WANTED[kind];
	const variable = variables.find((name) => (env[name] ?? "").trim() !== "");
	const all = variables.map((name) => `$${name}`).join(" or ");
	if (variable === undefined) {
		for (const [name = "", ...args] of defaults) {
			const command = await findProgram(name, env, system);
			if (command !== undefined) return { command, args, name };
		}
		return `Cannot open the ${word}: no known ${word} is installed; set ${all} to yours`;
	}
	const line = (env[variable] ?? "").trim();
	if (!system.isUnix) {
		const split = splitWords(line, system);
		const [name = "", ...args] = "words" in split ? split.words : [line];
		const command = await findProgram(name, env, system);
		if (command === undefined)
			return `Cannot open the ${word}: $${variable} names the program "${name}", which does not exist`;
		return { command, args, name: line };
	}
	const [first = ""] = line.split(/\s+/);
	// A name that needs expansion is left to the shell.
	const isName = /^[\w./+:@-]+$/.test(first);
	if (isName && (await findProgram(first, env, system)) === undefined) {
		return `Cannot open the ${word}: $${variable} names the program "${first}", which does not exist`;
	}
	// Like git and crontab, allow arguments, quotes and other shell syntax in the variable.
	// "exec", so that a signal reaches the program and not only the shell.
	return { command: "/bin/sh", args: ["-c", `${isName ? "exec " : ""}${line} "$@"`, line], name: line };
}
