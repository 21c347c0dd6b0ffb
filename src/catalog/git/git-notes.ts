import { stat } from "node:fs/promises";
import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { basename, dirname, join, relative, resolve, sep } from "../../shared/paths.ts";
import { mapInTurn } from "../../shared/steps.ts";
import { type Env, LINUX } from "../../shared/system.ts";
import type { DiskRead } from "../../store/files/disk-read.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { replaceText } from "../../store/write/text-file.ts";
import { defaultStateDir } from "../model/session-roots.ts";
import { findGit, findRepository, gitHead, gitRoot, readSmall } from "./git-repository.ts";

/**
 * What Git knew of a directory of sessions while it existed: once it is gone, its remote repository can no longer be found out, nor what
 * a removed worktree was of. The notes are a file that all windows share, and a convenience: one that cannot be read counts as empty.
 */
export interface GitNote {
	/** The remote repository without credentials: "github.com/owner/name"; "" if there is none. */
	readonly remote: string;
	/** Its path relative to the top of the repository; "" for the top itself. */
	readonly inside: string;
	/** For a worktree, the directory of its repository; otherwise "". */
	readonly worktreeOf: string;
	/** For a worktree, what it had checked out: a branch, or the whole hash of a commit; otherwise "". */
	readonly head: string;
}

export interface RemovedWorktree {
	readonly repository: string;
	readonly path: string;
	/** What it had checked out: a branch, or the hash of a commit. */
	readonly head: string;
}

interface GitSurroundings {
	readonly env: Env;
	readonly home: string;
	readonly readDisk: DiskRead;
	/** Current time, Unix ms. */
	readonly clock: () => number;
}

interface StoredNote extends GitNote {
	/** When that was seen last, Unix ms. */
	readonly atMs: number;
}

const VERSION = 1;
/** Directories kept: those seen last. */
const MOST_NOTES = 2000;
/** Notes older than this are renewed, in ms. */
const FRESH_MS = 24 * 60 * 60_000;

function gitNotesPath(env: Env, home: string): string {
	return join(defaultStateDir(env, home), "git.json");
}

/** The directories of a directory's repository (`findRepository`), then those of removed worktrees. `directories`: of sessions. */
export async function repositoryOf(
	directory: string,
	directories: readonly string[],
	{ env, home, readDisk }: Pick<GitSurroundings, "env" | "home" | "readDisk">,
): Promise<readonly string[] | undefined> {
	const repositoryDirs = await findRepository(directory);
	const [root] = repositoryDirs ?? [];
	if (repositoryDirs === undefined || root === undefined) return undefined;
	const removed = await removedWorktreesOf(root, readGitNotes({ env, home }), directories, readDisk);
	return [...new Set([...repositoryDirs, ...removed])];
}

/** The worktree in which a directory was that is gone, if that was noted and it can be made again. */
export function notedWorktree(
	directory: string,
	surroundings: Pick<GitSurroundings, "env" | "home">,
): RemovedWorktree | undefined {
	const note = readGitNotes(surroundings).get(directory);
	if (note === undefined || note.worktreeOf === "" || note.head === "") return undefined;
	return { repository: note.worktreeOf, path: topOf(directory, note), head: note.head };
}

/** What is noted, by directory, what was seen last first. */
export function readGitNotes({ env, home }: Pick<GitSurroundings, "env" | "home">): ReadonlyMap<string, GitNote> {
	return readNotes(gitNotesPath(env, home));
}

/** Notes what Git knows of directories not checked lately, and of all worktrees, as their branches change. Never rejects. */
export async function noteGit(
	directories: readonly string[],
	{ env, home, readDisk, clock }: GitSurroundings,
): Promise<void> {
	const path = gitNotesPath(env, home);
	const now = clock();
	const earlierNotes = readNotes(path);
	const isDue = (note: StoredNote | undefined): boolean =>
		note === undefined || note.worktreeOf !== "" || Math.abs(now - note.atMs) > FRESH_MS;
	const dueDirectories = directories.filter((each) => isDue(earlierNotes.get(each)));
	const notes = await mapInTurn(dueDirectories, async (each) => [each, await gitNoteOf(each, readDisk)] as const);
	const newNotes = notes.flatMap(([each, note]): [string, StoredNote][] =>
		note === undefined ? [] : [[each, { ...note, atMs: now }]],
	);
	if (newNotes.length === 0) return;
	// Another window may have noted something meanwhile.
	await replaceText(path, [printNotes(new Map([...readNotes(path), ...newNotes]))]).catch(() => undefined);
}

/** Longer ones are no addresses, and would fill the file of notes. */
const LONGEST_URL = 4096;

/** What Git knows of an existing directory; undefined if there is nothing to note. */
export async function gitNoteOf(directory: string, readDisk: DiskRead): Promise<GitNote | undefined> {
	const isThere = await readDisk(directory, () => stat(directory)).catch(() => undefined);
	const git = isThere?.isDirectory() ? await findGit(directory, readDisk) : undefined;
	if (git === undefined) return undefined;
	const url = remoteIn((await readSmall(join(git.common, "config"), readDisk)) ?? "", gitRoot(git.common));
	const remote = url.length > LONGEST_URL ? "" : url;
	const worktreeOf = git.gitDir === git.common ? "" : gitRoot(git.common);
	if (remote === "" && worktreeOf === "") return undefined;
	const head = worktreeOf === "" ? "" : await gitHead(git, readDisk);
	return { remote, inside: relative(git.top, directory), worktreeOf, head };
}

export function topOf(directory: string, { inside }: GitNote): string {
	return inside === "" ? directory : directory.slice(0, -inside.length - 1);
}

/**
 * Where worktrees of a repository were that are gone: those that were noted, and what nobody has seen but was called after its
 * directory, beside it ("/w/api-fix", "/w/api.worktrees/fix"). `directories`: of sessions.
 */
async function removedWorktreesOf(
	root: string,
	notes: ReadonlyMap<string, GitNote>,
	directories: readonly string[],
	readDisk: DiskRead,
): Promise<readonly string[]> {
	const noted = [...notes].flatMap(([directory, note]) => (note.worktreeOf === root ? [topOf(directory, note)] : []));
	const beside = directories.filter(
		(each) => !notes.has(each) && each.startsWith(root) && SEPARATOR.test(each[root.length] ?? ""),
	);
	const worktrees = await mapInTurn([...new Set([...noted, ...beside])], async (each) => {
		const stats = await readDisk(each, () => stat(each)).catch(() => undefined);
		return stats === undefined && (noted.includes(each) || (await isOf(root, each, readDisk))) ? [each] : [];
	});
	return worktrees.flat();
}

/** What separates the name of a repository from the rest of a worktree's beside it. */
const SEPARATOR = /[-._@+~ ]/;

/** Whether no repository beside this one has more of the name of a directory that is gone. */
async function isOf(root: string, directory: string, readDisk: DiskRead): Promise<boolean> {
	const way = directory.slice(dirname(root).length + 1).split(sep, 1)[0] ?? "";
	for (let end = way.length; end > basename(root).length; end--) {
		if (end < way.length && !SEPARATOR.test(way[end] ?? "")) continue;
		const git = join(dirname(root), way.slice(0, end), ".git");
		if ((await readDisk(git, () => stat(git)).catch(() => undefined)) !== undefined) return false;
	}
	return true;
}

function readNotes(path: string): Map<string, StoredNote> {
	const stored = attempt((): unknown => JSON.parse(readTextFile(path)));
	if (!isObject(stored) || stored.version !== VERSION || !Array.isArray(stored.directories)) return new Map();
	return new Map(stored.directories.flatMap(noteOf));
}

function noteOf(stored: unknown): [string, StoredNote][] {
	if (!isObject(stored)) return [];
	const { directory, remote = "", inside = "", worktreeOf = "", head = "", atMs } = stored;
	if (!isText(directory) || !isText(remote) || !isText(inside) || !isText(worktreeOf) || !isText(head)) return [];
	return typeof atMs === "number" ? [[directory, { remote, inside, worktreeOf, head, atMs }]] : [];
}

function isText(value: unknown): value is string {
	return typeof value === "string";
}

function printNotes(notes: ReadonlyMap<string, StoredNote>): string {
	const newest = [...notes].toSorted(([, a], [, b]) => b.atMs - a.atMs).slice(0, MOST_NOTES);
	const directories = newest.map(([directory, note]) => ({ directory, ...note }));
	const stored = { version: VERSION, directories };
	return `${JSON.stringify(stored, (_, value: unknown) => (value === "" ? undefined : value))}\n`;
}

/**
 * Names the remote repository in the text of a `.git/config`: that called "origin", else the first. The name has neither
 * the protocol nor anything that may be secret, and is the same however it is reached: "github.com/owner/name". "": none.
 * `top`: the directory of the repository, for the path of a remote one.
 */
export function remoteIn(config: string, top: string): string {
	const urls = new Map<string, string>();
	let remote: string | undefined;
	for (const line of config.split("\n")) {
		const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
		if (section !== undefined) remote = /^remote\s+"(.*)"$/.exec(section.trim())?.[1];
		const url = /^\s*url\s*=\s*"?([^"\s]+)/i.exec(line)?.[1];
		if (remote !== undefined && url !== undefined && !urls.has(remote)) urls.set(remote, url);
	}
	const url = urls.get("origin") ?? urls.values().next().value;
	return url === undefined ? "" : remoteName(url, top);
}

/** The name of a remote repository, given as a URL, as a path, or in the form of SSH: "git@host:path". */
function remoteName(url: string, top: string): string {
	if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return nameOfUrl(url);
	const [, host, path] = /^(?:[^/]*@)?([^/:@]{2,}):(.+)$/.exec(url) ?? [];
	if (host !== undefined && path !== undefined) return nameOf(host, path);
	// An address without its protocol, "name:password@host/path", which Git takes for a path: it has a secret in it.
	if (/^(?:\/\/)?[^/\\]*@/.test(url)) return "";
	const local = url.startsWith("~") ? url : resolve(top, url);
	return withoutEnding(local);
}

function nameOfUrl(url: string): string {
	// What cannot be taken apart may have a password anywhere.
	return (
		attempt(() => {
			const { protocol, hostname, pathname } = new URL(url);
			return protocol === "file:" ? withoutEnding(pathname) : nameOf(hostname, decodeURIComponent(pathname));
		}) ?? ""
	);
}

function nameOf(host: string, path: string): string {
	// A password with a slash in it would be taken for a part of the path.
	if (host === "" || path.includes("@")) return "";
	return `${host.toLowerCase()}${withoutEnding(LINUX.paths.join("/", path))}`;
}

function withoutEnding(path: string): string {
	return path.replace(/\/+$/, "").replace(/(?:\/|(?<=[^/]))\.git$/, "");
}
