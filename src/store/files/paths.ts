import { realpathSync, statSync } from "node:fs";
import { lstat, realpath } from "node:fs/promises";
import { attempt } from "../../shared/attempt.ts";
import { isOfThisSystem, projectKey, setRealProject, wholeDirectory } from "../../shared/paths.ts";
import { mapInTurn } from "../../shared/steps.ts";
import { createDiskRead } from "./disk-read.ts";
import { errorCode } from "./store-error.ts";

/**
 * Tests whether a directory is the one that was typed, by its name or as it is on the disk: the target of a link, also of one in its own
 * path, and on macOS and Windows the name in the letter case of the disk, where any case finds it.
 */
export function isDirectoryTyped(typed: string): (directory: string) => boolean {
	// Each directory is looked for once: a thousand sessions are in a few of them.
	const projects = new Map<string, string>();
	const projectOf = (directory: string): string => {
		const path = wholeDirectory(directory);
		const real = isOfThisSystem(path) ? attempt(() => realpathSync.native(path)) : undefined;
		// The sessions of a directory that is gone are found by the name that they have.
		if (real !== undefined) setRealProject(path, real);
		const project = projectKey(path);
		projects.set(directory, project);
		return project;
	};
	const project = projectOf(typed);
	return (directory) => (projects.get(directory) ?? projectOf(directory)) === project;
}

/** Looks up where directories of this machine are on the disk, so that one with two names is one project. */
export async function findRealProjects(directories: readonly string[], readDisk = createDiskRead()): Promise<void> {
	await mapInTurn([...new Set(directories)].filter(isOfThisSystem), async (each) => {
		const real = await readDisk(each, () => realpath(each)).catch(() => undefined);
		if (real !== undefined) setRealProject(each, real);
	});
}

/** Whether there is a directory at a path, or a link to one; not if that cannot be determined. */
export function isDirectory(path: string): boolean {
	return attempt(() => statSync(path).isDirectory()) ?? false;
}

/** Whether a path exists, a broken link included. Rejects with the error of the file system. */
export async function isThere(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch (error) {
		if (errorCode(error) === "ENOENT") return false;
		throw error;
	}
}
