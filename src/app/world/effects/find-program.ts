import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { extname, isAbsolute, join, resolve } from "node:path";

/** What Windows runs where PATHEXT does not say it. */
const WINDOWS_ENDINGS = ".COM;.EXE;.BAT;.CMD";

/**
 * Absolute path of a program, found like a shell does: a name is looked up in the directories of PATH, anything with a slash
 * is used as it is. Undefined when there is no such executable. On Windows a program has an ending of PATHEXT:
 * beside `pi.cmd`, npm puts a `pi` that is a script for other shells.
 *
 * Not the `which` package: on Windows it looks in the current directory first, so that a `pi.cmd` in somebody else's
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

/** The directories of PATH. An empty one is the current directory; on Windows, where PATH often ends so, it means nothing. */
function directoriesOf(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string[] {
	const text = env.PATH ?? env.Path ?? "";
	return platform === "win32" ? text.split(";").filter((directory) => directory !== "") : text.split(":");
}

/** What may stand behind a name on Windows; nothing where it has its ending. */
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
		// Missing or not executable: the next directory may have it.
		return false;
	}
}
