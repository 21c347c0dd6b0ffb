import { realpathSync, statSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { homedir } from "node:os";
import here, { win32 } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "../../shared/attempt.ts";
import { homeOf, type PathRules, rulesOf } from "../../shared/system.ts";
import { errorCode } from "./store-error.ts";

/** Whether a path, if it is absolute, can be one of this machine. */
export function isOfThisSystem(path: string): boolean {
	return rulesOf(path) === here;
}

/** Expands `~`, `~/…` and `file://` in a path from a command line or a settings file; a relative path stays relative. */
export function expandPath(path: string, home: string = homedir(), { join, sep }: PathRules = here): string {
	if (path === "~") return home;
	if (path.startsWith("~/") || path.startsWith(`~${sep}`)) return join(home, path.slice(2));
	// A URL that does not name a file on this machine is used as a path; an error follows on use.
	const url = { windows: sep === "\\" };
	return path.startsWith("file://") ? (attempt(() => fileURLToPath(path, url)) ?? path) : path;
}

export function resolvePath(path: string, base: string = process.cwd(), home: string = homedir()): string {
	return resolveFrom(base, expandPath(path, home, rulesOf(base || path)));
}

/** The absolute path by the rules of the system that `base` is of; with base "", those of the path itself. */
export function resolveFrom(base: string, path: string): string {
	const rules = rulesOf(base || path);
	const whole = rules.resolve(base, path);
	// Windows does not tell `c:\proj` from `C:\Proj`: what is below the base has its spelling.
	return rules === win32 && base !== "" && isUnder(whole, base) ? rules.join(base, rules.relative(base, whole)) : whole;
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
	const { isAbsolute, resolve } = rulesOf(directory);
	return (isAbsolute(directory) ? resolve(directory) : directory).normalize("NFC");
}

/**
 * Tests whether a directory is the one that was typed, by its name or as it is on the disk: the target of a link, also of one in its own
 * path, and on macOS and Windows the name in the letter case of the disk, where any case finds it.
 */
export function isDirectoryTyped(typed: string): (directory: string) => boolean {
	const path = resolvePath(typed);
	const realKey = (one: string): string => projectKey(attempt(() => realpathSync.native(one)) ?? one);
	const names = new Set([projectKey(path), realKey(path)]);
	// Each directory is looked for once: a thousand sessions are in a few of them.
	const answers = new Map<string, boolean>();
	return (directory) => {
		// The sessions of a directory that is gone are found by the name that they have.
		const key = projectKey(resolvePath(directory));
		const isTyped = answers.get(key) ?? (names.has(key) || (isOfThisSystem(key) && names.has(realKey(key))));
		answers.set(key, isTyped);
		return isTyped;
	};
}

/** Whether a path is inside of a directory, by names alone; both absolute. */
export function isUnder(path: string, directory: string): boolean {
	const { isAbsolute, relative, sep } = rulesOf(directory);
	// A path of another system would be taken for one that is relative to where this program runs.
	if (!isAbsolute(path)) return false;
	const way = relative(directory, path);
	return way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
}

/** The name of a file from a directory on, also of one outside of it, with "/" between its parts. Both are absolute. */
export function nameFrom(path: string, directory: string): string {
	const { isAbsolute, relative, sep } = rulesOf(directory);
	const way = isAbsolute(path) ? relative(directory, path) : path;
	// What is on another drive has no way to it.
	return isAbsolute(way) ? path : way.replaceAll(sep, "/");
}

/** Whether a path ends with the parts of a typed one. */
export function endsWithName(path: string, typed: string): boolean {
	const { sep } = rulesOf(path);
	const name = typed.replaceAll(sep, "/").replace(/^(?:\.\/)+|\/+$/g, "");
	return path.replaceAll(sep, "/").endsWith(`/${name}`);
}

/** What the paths of all that is below a directory begin with. */
export function prefixOf(directory: string): string {
	const { sep } = rulesOf(directory);
	return directory.endsWith(sep) ? directory : directory + sep;
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
