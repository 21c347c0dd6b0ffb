import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { attempt } from "./attempt.ts";
import { fileKey, homeOf, type PathRules, rulesOf, Spellings, systemOf, thisSystem } from "./system.ts";

/** The rules of this machine, for its own paths: only here they are taken from Node. What a session says is by those of its system (`rulesOf`). */
export { basename, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";

/** Whether a path, if it is absolute, can be one of this machine. */
export function isOfThisSystem(path: string): boolean {
	return rulesOf(path) === thisSystem.paths;
}

/** The absolute path of a directory that was typed; one of another system, such as a session's, stays as it is. */
export function wholeDirectory(typed: string): string {
	return isOfThisSystem(typed) ? resolvePath(typed) : typed;
}

/** A path with "/" between its parts; or what was typed to find such a one as `path`. */
export function withSlashes(text: string, path = text): string {
	return text.replaceAll(rulesOf(path).sep, "/");
}

/** Expands `~`, `~/…` and `file://` in a path from a command line or a settings file; a relative path stays relative. */
export function expandPath(
	path: string,
	home: string = homedir(),
	{ join, sep }: PathRules = thisSystem.paths,
): string {
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
	const way = base === "" || !systemOf(base).ignoresCase ? undefined : wayInto(base, whole);
	return way === undefined ? whole : rules.join(base, way);
}

/** A name in a command that runs in a directory: a "/c/proj" of Git's shell is "c:/proj" on Windows. */
export function nameInShell(name: string, directory: string): string {
	return systemOf(directory).isUnix ? name : name.replace(/^\/([a-zA-Z])(?=\/|$)/, "$1:/");
}

/**
 * What "~" means in a session of that directory: the home that the directory is in, as somebody else's session has another one; `home`,
 * the person's own, where it is in none.
 */
export function sessionHome(cwd: string, home: string): string {
	return isWithin(cwd, home) ? home : (homeOf(cwd) ?? home);
}

/** Matches what may be spelled in another way: a path with "//", "/./", "/../" or a slash at its end, or beyond ASCII. */
const HAS_SPELLINGS = /[/\\]\.{0,2}(?:[/\\]|$)|[^\0-\x7f]/;

/** A directory in one form: the same for `/w/x`, `/w/x/` and `/w/./x`, and whether an accent is part of a letter or follows it. */
export function normalDirectory(directory: string): string {
	if (!HAS_SPELLINGS.test(directory)) return directory;
	const { isAbsolute, resolve } = rulesOf(directory);
	return (isAbsolute(directory) ? resolve(directory) : directory).normalize("NFC");
}

/** Of the directories of projects, as this process has met them first. */
const PROJECTS = new Spellings();
/** Where directories are that were looked up, by their plain form. */
const REAL_PROJECTS = new Map<string, string>();

/**
 * What identifies the project of a directory in this process: where it is without links, if that was looked up (`setRealProject`), else its
 * plain form, in one letter case where that does not count. It is compared and shown, never opened: there may be two directories on the disk.
 */
export function projectKey(directory: string): string {
	const plain = PROJECTS.of(normalDirectory(directory));
	return REAL_PROJECTS.get(plain) ?? plain;
}

/** Makes a directory the same project as the one that it is on the disk. Returns whether that is new. */
export function setRealProject(directory: string, real: string): boolean {
	const formerKey = projectKey(directory);
	REAL_PROJECTS.set(PROJECTS.of(normalDirectory(directory)), PROJECTS.of(normalDirectory(real)));
	return projectKey(directory) !== formerKey;
}

/** The way from a directory to a path; both absolute. The path may spell the directory in another way that its system takes for the same. */
function wayFrom(directory: string, path: string): string {
	const system = systemOf(directory);
	const { relative, resolve, sep } = system.paths;
	const way = relative(directory, path);
	// The rules of Windows know that letter case does not count.
	if (!leadsOut(way, sep) || !system.isUnix || !system.ignoresCase) return way;
	const sameWay = relative(fileKey(directory, system), fileKey(path, system));
	if (leadsOut(sameWay, sep)) return way;
	return sameWay === "" ? "" : resolve(path).split(sep).slice(-sameWay.split(sep).length).join(sep);
}

function leadsOut(way: string, sep: string): boolean {
	return way.split(sep, 1)[0] === "..";
}

/** The way into a directory, "" for itself; undefined for a path that is not inside of it, such as one of another system. */
export function wayInto(directory: string, path: string): string | undefined {
	if (path === directory) return "";
	const { isAbsolute, sep } = rulesOf(directory);
	const way = isAbsolute(path) ? wayFrom(directory, path) : path;
	return isAbsolute(path) && !isAbsolute(way) && !leadsOut(way, sep) ? way : undefined;
}

/** Whether a path is a directory, or inside of it, by names alone; both absolute. */
export function isWithin(path: string, directory: string): boolean {
	return wayInto(directory, path) !== undefined;
}

/** Whether a path is inside of a directory, by names alone; both absolute. */
export function isUnder(path: string, directory: string): boolean {
	return Boolean(wayInto(directory, path));
}

/** The name of a file from a directory on, also of one outside of it, with "/" between its parts. Both are absolute. */
export function nameFrom(path: string, directory: string): string {
	const { isAbsolute, sep } = rulesOf(directory);
	const way = isAbsolute(path) ? wayFrom(directory, path) : path;
	// What is on another drive has no way to it.
	return isAbsolute(way) ? path : way.replaceAll(sep, "/");
}

/** Whether a path ends with the parts of a typed one. */
export function endsWithName(path: string, typed: string): boolean {
	const system = systemOf(path);
	const name = withSlashes(typed, path).replace(/^(?:\.\/)+|\/+$/g, "");
	return fileKey(withSlashes(path), system).endsWith(fileKey(`/${name}`, system));
}

/** What the paths of all that is below a directory begin with. */
export function prefixOf(directory: string): string {
	const { sep } = rulesOf(directory);
	return directory.endsWith(sep) ? directory : directory + sep;
}
