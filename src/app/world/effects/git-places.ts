import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { mapInTurn } from "../../../shared/map-in-turn.ts";
import type { Repository } from "../state/places.ts";
import { type Look, lookNow } from "./patient-look.ts";

/** Where Git keeps what it knows of a directory, read from its files: git itself need not be there, and is never run. */
export interface GitDirectory {
	/** The directory that the files are checked out in. */
	readonly top: string;
	/** What belongs to that alone: its HEAD. */
	readonly own: string;
	/** What all worktrees share; the same as `own` where there is only one. */
	readonly common: string;
}

/** Git's own files are smaller. */
const MOST_BYTES = 64 * 1024;
/** Worktrees read of one repository. */
const MOST_WORKTREES = 1000;

/** The repository that a directory is in, with all of its worktrees; undefined where there is none. */
export async function findRepository(directory: string): Promise<Repository | undefined> {
	const found = await findGit(directory);
	if (found === undefined) return undefined;
	const { top, own, common } = found;
	const root = own === common ? top : rootOf(common);
	const worktrees = await worktreesOf(common);
	return { root, directories: [...new Set([root, top, ...worktrees.map(({ directory }) => directory)])] };
}

/** The directory that a repository is named by: the one that holds what all its worktrees share. */
export function rootOf(common: string): string {
	return basename(common) === ".git" ? dirname(common) : common;
}

/** The worktrees that a repository knows, removed ones too; `name`: usually the folder it was created as. */
async function worktreesOf(
	common: string,
	look: Look = lookNow,
): Promise<readonly { readonly name: string; readonly directory: string }[]> {
	const all = join(common, "worktrees");
	const names = await look(all, () => readdir(all)).catch(() => []);
	const found = await mapInTurn(names.slice(0, MOST_WORKTREES), async (name) => {
		const place = join(all, name);
		const git = await readLine(join(place, "gitdir"), look);
		return git === undefined ? undefined : { name, directory: dirname(resolve(place, git)) };
	});
	return found.filter((worktree) => worktree !== undefined);
}

/** The branch of each directory: its name, the short hash of a detached HEAD, or "" outside a repository. */
export async function findBranches(directories: readonly string[]): Promise<ReadonlyMap<string, string>> {
	const found = await mapInTurn(directories, async (directory) => [directory, await branchOf(directory)] as const);
	return new Map(found);
}

async function branchOf(directory: string): Promise<string> {
	const found = await findGit(directory);
	const head = found && (await readLine(join(found.own, "HEAD")));
	if (head === undefined) return "";
	return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 8);
}

/** What Git keeps for a directory: searches it and the directories above it. */
export async function findGit(directory: string, look: Look = lookNow): Promise<GitDirectory | undefined> {
	for (let top = resolve(directory); ; top = dirname(top)) {
		const git = join(top, ".git");
		const stats = await look(git, () => stat(git)).catch(() => undefined);
		if (stats?.isDirectory()) return { top, own: git, common: git };
		const link = stats?.isFile() ? await readLine(git, look) : undefined;
		const own = /^gitdir: (.+)$/.exec(link ?? "")?.[1];
		if (own !== undefined) return linked(top, resolve(top, own), look);
		if (dirname(top) === top) return undefined;
	}
}

async function linked(top: string, own: string, look: Look): Promise<GitDirectory> {
	const common = await readLine(join(own, "commondir"), look);
	return { top, own, common: common === undefined ? own : resolve(own, common) };
}

/** The first line of a small file; undefined where there is none. */
async function readLine(path: string, look: Look = lookNow): Promise<string | undefined> {
	const line = (await readSmall(path, look))?.split("\n", 1)[0]?.trim();
	return line === "" ? undefined : line;
}

/** The text of one of Git's files; undefined if there is none. */
export async function readSmall(path: string, look: Look): Promise<string | undefined> {
	try {
		const stats = await look(path, () => stat(path));
		if (!stats.isFile() || stats.size > MOST_BYTES) return undefined;
		return await look(path, () => readFile(path, "utf8"));
	} catch {
		// Not a repository, or one that cannot be read: then nothing is known about it.
		return undefined;
	}
}
