import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { extname, isAbsolute, join, resolve } from "node:path";
import { splitWords } from "../../../shared/split-words.ts";

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
export async function findProgram(
	command: string,
	env: Readonly<Record<string, string | undefined>>,
	platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
	const directories = /[/\\]/.test(command) ? [""] : directoriesOf(env, platform);
	const extensions = platform === "win32" ? windowsEndings(command, env) : [""];
	for (const directory of directories) {
		for (const extension of extensions) {
			const path =
				directory === "" || isAbsolute(command) ? resolve(command + extension) : join(directory, command + extension);
			if (await isProgram(path)) return path;
		}
	}
	return undefined;
}

/** The directories of PATH. An empty one is the current directory; on Windows, where PATH often ends with one, it is ignored. */
function directoriesOf(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string[] {
	const text = env.PATH ?? env.Path ?? "";
	return platform === "win32" ? text.split(";").filter((directory) => directory !== "") : text.split(":");
}

/** Extensions to try on Windows; none first, if the name already has one. */
function windowsEndings(command: string, { PATHEXT }: Readonly<Record<string, string | undefined>>): string[] {
	const endings = (PATHEXT || WINDOWS_ENDINGS).split(";").filter((ending) => ending !== "");
	const own = extname(command).toLowerCase();
	return endings.some((ending) => ending.toLowerCase() === own) ? ["", ...endings] : endings;
}

/** Whether the directory exists. */
export async function isDirectory(path: string): Promise<boolean> {
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
export async function readPiCommand(
	text: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<PiCommand | { readonly mistake: string }> {
	if ((await findProgram(text, env)) !== undefined) return { program: text, args: [] };
	const split = splitWords(text);
	if ("mistake" in split) return split;
	const [program = "", ...args] = split.words;
	return program === "" ? { mistake: "it names no program" } : { program, args };
}
