import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * Absolute path of a program, found as a shell finds it: a name in the directories of PATH (on Windows with the
 * extensions of PATHEXT), anything with a slash as a path. Undefined when there is no such program, or it may not be run.
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

/** Whether this path is a directory. */
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
		// Missing, or we may not run it: the next directory may have another.
		return false;
	}
}
