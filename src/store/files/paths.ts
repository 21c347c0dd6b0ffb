import { realpathSync, statSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { attempt } from "../../shared/attempt.ts";
import { isOfThisSystem, projectKey, wholeDirectory } from "../../shared/paths.ts";
import { errorCode } from "./store-error.ts";

/**
 * Tests whether a directory is the one that was typed, by its name or as it is on the disk: the target of a link, also of one in its own
 * path, and on macOS and Windows the name in the letter case of the disk, where any case finds it.
 */
export function isDirectoryTyped(typed: string): (directory: string) => boolean {
	const path = wholeDirectory(typed);
	const realKey = (one: string): string => projectKey(attempt(() => realpathSync.native(one)) ?? one);
	const names = new Set([projectKey(path), realKey(path)]);
	// Each directory is looked for once: a thousand sessions are in a few of them.
	const answers = new Map<string, boolean>();
	return (directory) => {
		// The sessions of a directory that is gone are found by the name that they have.
		const key = projectKey(wholeDirectory(directory));
		const isTyped = answers.get(key) ?? (names.has(key) || (isOfThisSystem(key) && names.has(realKey(key))));
		answers.set(key, isTyped);
		return isTyped;
	};
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
