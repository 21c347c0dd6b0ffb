import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * Absolute path of a program, found as a shell would: a name in the directories of PATH (on Windows with the endings of
 * PATHEXT), anything with a slash as it is. Undefined when there is none that may be run.
 */
export async function findProgram(
	command: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
	const directories = /[/\\]/.test(command) ? [""] : (env.PATH ?? env.Path ?? "").split(delimiter);
	const endings = process.platform === "win32" ? ["", ...(env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";")] : [""];
	for (const directory of directories) {
		for (const ending of endings) {
			const path =
				directory === "" || isAbsolute(command) ? resolve(command + ending) : join(directory, command + ending);
			if (await isProgram(path)) return path;
		}
	}
	return undefined;
}

/** Whether a directory is there. */
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
		// Not there or not ours to run: the next directory may have it.
		return false;
	}
}
