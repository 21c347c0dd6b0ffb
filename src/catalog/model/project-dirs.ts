import { mkdirSync, writeFileSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { isAbsolute, join } from "../../shared/paths.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { removePathSync, renamePathSync } from "../../store/files/while-busy.ts";

/*
 * The directories in which projects keep their sessions, as far as they are known: a file in the cache, so that every command has them
 * at once. It can be deleted at any time; the next complete listing looks for them again.
 */

/** `{ "<root>": ["<directory>", …] }` */
function fileIn(cacheDir: string): string {
	return join(cacheDir, "project-directories.json");
}

/** The project directories of the sessions under a root; undefined if nobody has looked for them yet. */
export function readProjectDirs(cacheDir: string, root: string): readonly string[] | undefined {
	const dirs = readAll(cacheDir)[root];
	return Array.isArray(dirs)
		? dirs.filter((dir): dir is string => typeof dir === "string" && isAbsolute(dir))
		: undefined;
}

/** Stores the project directories of the sessions under a root. If that fails, they are found again. */
export function writeProjectDirs(cacheDir: string, root: string, dirs: readonly string[]): void {
	const path = fileIn(cacheDir);
	const temporary = `${path}.${process.pid}`;
	try {
		mkdirSync(cacheDir, { recursive: true });
		writeFileSync(temporary, `${JSON.stringify({ ...readAll(cacheDir), [root]: dirs })}\n`);
		renamePathSync(temporary, path);
	} catch {
		attempt(() => removePathSync(temporary, { force: true }));
	}
}

function readAll(cacheDir: string): Readonly<Record<string, unknown>> {
	const value: unknown = attempt(() => JSON.parse(readTextFile(fileIn(cacheDir))));
	return isObject(value) ? value : {};
}
