import { realpathSync, statSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, posix, relative, resolve, sep, win32 } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "../../shared/attempt.ts";
import { errorCode } from "./store-error.ts";

/** Expands `~`, `~/…` and `file://` in a path from a command line or a settings file; a relative path stays relative. */
export function expandPath(
	path: string,
	home: string = homedir(),
	platform: NodeJS.Platform = process.platform,
): string {
	if (path === "~") return home;
	if (path.startsWith("~/") || (platform === "win32" && path.startsWith("~\\"))) return join(home, path.slice(2));
	// A URL that does not name a file on this machine is used as a path; an error follows on use.
	return path.startsWith("file://") ? (attempt(() => fileURLToPath(path)) ?? path) : path;
}

export function resolvePath(path: string, base: string = process.cwd(), home: string = homedir()): string {
	return resolve(base, expandPath(path, home));
}

/** Directories beside the homes that belong to nobody. */
const NO_HOME = /[/\\](?:Shared|Public|Default|linuxbrew)$/;

/** The home directory that a path is in: "/home/ada" of "/home/ada/work"; undefined for any other path. */
export function homeOf(path: string): string | undefined {
	const home = /^(?:\/(?:home|Users)\/[^/]+|\/var\/home\/[^/]+|\/root(?=\/|$)|[A-Za-z]:\\Users\\[^\\]+)/.exec(
		path,
	)?.[0];
	return home === undefined || NO_HOME.test(home) ? undefined : home;
}

/**
 * What "~" means in a session of that directory: the home that the directory is in, as somebody else's session has another one; `home`,
 * the person's own, where it is in none.
 */
export function sessionHome(cwd: string, home: string): string {
	return cwd === home || cwd.startsWith(`${home}/`) ? home : (homeOf(cwd) ?? home);
}

/** Matches what may be spelled in another way: a path with "//", "/./", "/../" or a slash at its end, or beyond ASCII. */
const HAS_SPELLINGS = /[/\\]\.{0,2}(?:[/\\]|$)|[^\0-\x7f]/;

/**
 * What identifies the project of a directory: the same for `/w/x`, `/w/x/` and `/w/./x`, and whether an accent is part of a letter or
 * follows it. It is compared and shown, never opened: there may be two directories on the disk.
 */
export function projectKey(directory: string): string {
	if (!HAS_SPELLINGS.test(directory)) return directory;
	const system = [posix, win32].find(({ isAbsolute }) => isAbsolute(directory));
	return (system?.resolve(directory) ?? directory).normalize("NFC");
}

/**
 * Tests whether a directory is the one that was typed, under the typed name or its real one: the target of a link, and on
 * macOS and Windows the name in the letter case of the disk, where any case finds it.
 */
export function isDirectoryTyped(typed: string): (directory: string) => boolean {
	const path = resolvePath(typed);
	// The sessions of a directory that is gone are found by the name that they have.
	const names = new Set([path, attempt(() => realpathSync.native(path)) ?? path].map(projectKey));
	return (directory) => names.has(projectKey(resolvePath(directory)));
}

/** Whether a path is inside of a directory, by names alone; both absolute. */
export function isUnder(path: string, directory: string): boolean {
	const way = relative(directory, path);
	return way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
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
