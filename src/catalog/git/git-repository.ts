import { readdir, stat } from "node:fs/promises";
import { basename, dirname, isOfThisSystem, join, resolve } from "../../shared/paths.ts";
import { mapInTurn } from "../../shared/steps.ts";
import { type DiskRead, readDirectly } from "../../store/files/disk-read.ts";
import { readTextFileAsync } from "../../store/files/open-file.ts";

/** The whole hash of a commit, where else a branch is named. */
export const COMMIT = /^[0-9a-f]{40,64}$/;

/** Where Git keeps its data about a directory. Read from its files: git need not be installed, and is never run. */
interface GitDirectory {
	/** Root of the working tree. */
	readonly top: string;
	/** The Git directory of this worktree alone, with its HEAD. */
	readonly gitDir: string;
	/** The Git directory that all worktrees share; the same as `gitDir` in the main one. */
	readonly common: string;
}

/** The directories of a directory's repository: its own name, then its worktrees; undefined outside of one. */
export async function findRepository(directory: string): Promise<readonly string[] | undefined> {
	const git = await findGit(directory);
	if (git === undefined) return undefined;
	const { top, gitDir, common } = git;
	const root = gitDir === common ? top : gitRoot(common);
	const worktrees = await worktreesOf(common);
	return [...new Set([root, top, ...worktrees])];
}

/** The directory that a repository is named by: the one that contains its shared Git directory. */
export function gitRoot(common: string): string {
	return basename(common) === ".git" ? dirname(common) : common;
}

/** The directories of the worktrees registered in a repository, removed ones too. */
async function worktreesOf(common: string): Promise<readonly string[]> {
	const all = join(common, "worktrees");
	const names = await readdir(all).catch(() => []);
	const worktrees = await mapInTurn(names, async (name) => {
		const gitDir = join(all, name);
		const git = await readLine(join(gitDir, "gitdir"));
		return git === undefined ? [] : [dirname(resolve(gitDir, git))];
	});
	return worktrees.flat();
}

/** The branch of each directory: its name, the short hash of a detached HEAD, or "" outside a repository. */
export async function findBranches(directories: readonly string[]): Promise<ReadonlyMap<string, string>> {
	const branches = await mapInTurn(directories, async (directory) => [directory, await branchOf(directory)] as const);
	return new Map(branches);
}

async function branchOf(directory: string): Promise<string> {
	const git = await findGit(directory);
	const head = git === undefined ? "" : await gitHead(git);
	return COMMIT.test(head) ? head.slice(0, 8) : head;
}

/** What is checked out: the name of a branch, or the whole hash of a commit; "" if that cannot be read. */
export async function gitHead(
	{ gitDir }: Pick<GitDirectory, "gitDir">,
	readDisk: DiskRead = readDirectly,
): Promise<string> {
	const head = (await readLine(join(gitDir, "HEAD"), readDisk)) ?? "";
	return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head;
}

/** The Git directory for a directory, found in it or in one above; undefined for one of another system. */
export async function findGit(directory: string, readDisk: DiskRead = readDirectly): Promise<GitDirectory | undefined> {
	if (!isOfThisSystem(directory)) return undefined;
	for (let top = resolve(directory); ; top = dirname(top)) {
		const git = join(top, ".git");
		const stats = await readDisk(git, () => stat(git)).catch(() => undefined);
		if (stats?.isDirectory()) return { top, gitDir: git, common: git };
		const link = stats?.isFile() ? await readLine(git, readDisk) : undefined;
		const gitDir = /^gitdir: (.+)$/.exec(link ?? "")?.[1];
		if (gitDir !== undefined) return linked(top, resolve(top, gitDir), readDisk);
		if (dirname(top) === top) return undefined;
	}
}

async function linked(top: string, gitDir: string, readDisk: DiskRead): Promise<GitDirectory> {
	const common = await readLine(join(gitDir, "commondir"), readDisk);
	return { top, gitDir, common: common === undefined ? gitDir : resolve(gitDir, common) };
}

/** The first line of a small file; undefined if it is missing or blank. */
async function readLine(path: string, readDisk: DiskRead = readDirectly): Promise<string | undefined> {
	const line = (await readSmall(path, readDisk))?.split("\n", 1)[0]?.trim();
	return line === "" ? undefined : line;
}

/** The text of one of Git's small files; undefined if it cannot be read: outside of a repository there is none. */
export function readSmall(path: string, readDisk: DiskRead): Promise<string | undefined> {
	return readDisk(path, () => readTextFileAsync(path)).catch(() => undefined);
}
