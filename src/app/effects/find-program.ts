import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * Absolute path of a program, found like a shell does: a name is looked up in the directories of PATH (on Windows with
 * the endings of PATHEXT), anything with a slash is used as it is. Undefined when there is no such program that may be run.
 *
 * Not the `which` package: on Windows it looks in the current directory first, so that a `pi.cmd` in somebody else's
 * repository would be run, and its newest version does not support all versions of Node that we do.
 */
export async function findProgram(
	command: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
	const directories = /[/\\]/.test(command) ? [""] : (env.PATH ?? env.Path ?? "").split(delimiter);
	const extensions = process.platform === "win32" ? ["", ...(env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";")] : [""];
	for (const directory of directories) {
		for (const extension of extensions) {
			const path =
				directory === "" || isAbsolute(command) ? resolve(command + extension) : join(directory, command + extension);
			if (await isProgram(path)) return path;
		}
	}
	return undefined;
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
