import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { StoreClient } from "../../../../changes/store-thread/store-client.ts";
import { mapInTurn } from "../../../../shared/steps.ts";
import { errorCode, explain } from "../../../../store/files/store-error.ts";
import { type DiskRead, NoAnswer } from "../../../world/effects/disk-read.ts";
import { type GitNote, gitNoteOf } from "../../../world/effects/git-notes.ts";
import { findGit } from "../../../world/effects/git-repository.ts";
import type { DirectoryFate, FoundDestination, GoneDirectory } from "../maintenance-state.ts";

/**
 * Finds which directories may have replaced each missing one, and why. `there`: the directories of sessions that exist. What
 * was found out about those is remembered until the next `search`.
 */
export type FindDestinations = (
	search: number,
	gone: readonly GoneDirectory[],
	there: readonly string[],
) => Promise<ReadonlyMap<string, readonly FoundDestination[]>>;

interface Tools {
	readonly readDisk: DiskRead;
	/** What was noted of directories while they existed. */
	readonly notes: () => ReadonlyMap<string, GitNote>;
	/** Only reads. */
	readonly readThread: Pick<StoreClient, "run">;
	readonly home: string;
}

/** Folders checked beside or above a missing directory. */
const MOST_FOLDERS = 300;
/** Files that a sibling is checked for, the share of them that it must have, and the least number. */
const MOST_FILES = 20;
const FILES_SHARE = 0.6;
const LEAST_FILES = 2;

/** Folders of programs, not of projects. */
const SKIPPED: ReadonlySet<string> = new Set([
	"node_modules",
	"target",
	"dist",
	"build",
	"vendor",
	"__pycache__",
	"Library",
]);

/** By remote repository, the directories of its known clones. */
type Copies = ReadonlyMap<string, readonly string[]>;

/** Looks for the new places of directories that are gone. */
export function createDestinationFinder({ readDisk, notes, readThread, home }: Tools): FindDestinations {
	let last = -1;
	let copies: Promise<Copies> | undefined;

	return async (search, gone, there) => {
		if (search !== last || copies === undefined) copies = findCopies(there, readDisk);
		last = search;
		const noted = notes();
		const known = await copies;
		const found = new Map<string, readonly FoundDestination[]>();
		for (const each of gone) found.set(each.directory, await destinationsOf(each, noted.get(each.directory), known));
		return found;
	};

	async function destinationsOf(
		gone: GoneDirectory,
		note: GitNote | undefined,
		known: Copies,
	): Promise<readonly FoundDestination[]> {
		const { directory } = gone;
		const above = await nearestAbove(directory);
		const folders = await foldersIn(above);
		const wanted = [
			...withSameRemote(note, known),
			...repositoryOf(note),
			...withSameName(directory, above, folders),
		].filter((place) => place.directory !== directory && place.directory !== home);
		const there = await mapInTurn(wanted, async (place) => (await fateOf(place.directory, readDisk)).kind === "there");
		const found = wanted.filter((_, index) => there[index]);
		const siblings = above === dirname(directory) ? folders : [];
		return [...found, ...(await withSameFiles(gone, siblings))];
	}

	/** The nearest existing directory above it. */
	async function nearestAbove(directory: string): Promise<string> {
		let above = dirname(directory);
		while (dirname(above) !== above && (await fateOf(above, readDisk)).kind !== "there") above = dirname(above);
		return above;
	}

	/** Folders in a directory; none of the file system's root, which holds no projects. */
	async function foldersIn(directory: string): Promise<readonly string[]> {
		if (dirname(directory) === directory) return [];
		const all = await readDisk(directory, () => readdir(directory, { withFileTypes: true })).catch(() => []);
		return all
			.filter((each) => (each.isDirectory() || each.isSymbolicLink()) && !each.name.startsWith("."))
			.filter(({ name }) => !SKIPPED.has(name))
			.slice(0, MOST_FOLDERS)
			.map(({ name }) => join(directory, name));
	}

	/** Siblings of the missing directory that have the files its sessions touched: it was only renamed. */
	async function withSameFiles(
		{ directory, sessions }: GoneDirectory,
		siblings: readonly string[],
	): Promise<FoundDestination[]> {
		if (siblings.length === 0) return [];
		const touched = new Set<string>();
		for (const path of sessions) {
			const paths = await readThread.run("touchedFiles", path, home).catch(() => []);
			for (const each of paths) if (each.startsWith(join(directory, sep))) touched.add(relative(directory, each));
		}
		const files = [...touched].slice(0, MOST_FILES);
		const least = Math.max(LEAST_FILES, files.length * FILES_SHARE);
		if (files.length < least) return [];
		const counts = await mapInTurn(siblings, async (sibling) => {
			const there = await mapInTurn(files, (file) => isFile(join(sibling, file)));
			return there.filter((one) => one).length;
		});
		return siblings.flatMap((sibling, index): FoundDestination[] => {
			const count = counts[index] ?? 0;
			return count < least ? [] : [{ directory: sibling, reason: { kind: "files", count, of: files.length } }];
		});
	}

	async function isFile(path: string): Promise<boolean> {
		return readDisk(path, () => stat(path)).then(
			(stats) => stats.isFile(),
			() => false,
		);
	}
}

/** The repositories that contain the directories of sessions, by their remotes. */
async function findCopies(there: readonly string[], readDisk: DiskRead): Promise<Copies> {
	const tops = await mapInTurn(there, async (directory) => (await findGit(directory, readDisk))?.top);
	const remotes = new Map<string, string[]>();
	await mapInTurn([...new Set(tops)], async (top) => {
		const remote = top === undefined ? "" : ((await gitNoteOf(top, readDisk))?.remote ?? "");
		if (top !== undefined && remote !== "") remotes.set(remote, [...(remotes.get(remote) ?? []), top]);
	});
	return remotes;
}

/** Clones of the same remote repository. */
function withSameRemote(note: GitNote | undefined, known: Copies): FoundDestination[] {
	if (note === undefined || note.remote === "") return [];
	const { remote, inside } = note;
	return (known.get(remote) ?? []).map((top) => ({ directory: join(top, inside), reason: { kind: "remote", remote } }));
}

/** The repository that it was a worktree of. */
function repositoryOf(note: GitNote | undefined): FoundDestination[] {
	if (note === undefined || note.worktreeOf === "") return [];
	return [{ directory: join(note.worktreeOf, note.inside), reason: { kind: "worktree" } }];
}

/**
 * Directories with the same last folders below the nearest existing directory: either it was moved itself, or one above it was
 * moved or renamed.
 */
function withSameName(gone: string, above: string, folders: readonly string[]): FoundDestination[] {
	const way = relative(above, gone).split(sep);
	return folders
		.flatMap((folder) => [
			...(basename(folder) === basename(gone) ? [folder] : []),
			...way.map((_, index) => join(folder, ...way.slice(index))),
		])
		.map((directory) => ({ directory, reason: { kind: "name", shared: sharedFolders(gone, directory) } }));
}

/** How many trailing folders two directories share. */
function sharedFolders(one: string, other: string): number {
	const [a, b] = [one.split(sep), other.split(sep)];
	let count = 0;
	while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count += 1;
	return count;
}

/** Whether directories exist. One that cannot be checked is not gone: its disk may be slow, or access denied. */
export async function checkDirectories(
	directories: readonly string[],
	readDisk: DiskRead,
): Promise<ReadonlyMap<string, DirectoryFate>> {
	return new Map(await mapInTurn(directories, async (each) => [each, await fateOf(each, readDisk)] as const));
}

/** Whether a directory exists. */
export async function fateOf(directory: string, readDisk: DiskRead): Promise<DirectoryFate> {
	try {
		const stats = await readDisk(directory, () => stat(directory));
		return stats.isDirectory() ? { kind: "there" } : { kind: "gone" };
	} catch (error) {
		if (error instanceof NoAnswer) return { kind: "unknown", why: error.message };
		const code = errorCode(error);
		return code === "ENOENT" || code === "ENOTDIR" ? { kind: "gone" } : { kind: "unknown", why: explain(error) };
	}
}

/** Folders offered for completion: a longer list is of no use. */
const MOST_OFFERED = 2000;

/** The names of the folders in a directory, including links to folders; none if it cannot be read. */
export async function listFolders(directory: string, readDisk: DiskRead): Promise<readonly string[]> {
	const entries = await readDisk(directory, () => readdir(directory, { withFileTypes: true })).catch(
		(): Dirent[] => [],
	);
	const folders = await mapInTurn(
		entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).slice(0, MOST_OFFERED),
		async (entry) => ({
			name: entry.name,
			isFolder: entry.isDirectory() || (await fateOf(join(directory, entry.name), readDisk)).kind === "there",
		}),
	);
	return folders
		.filter(({ isFolder }) => isFolder)
		.map(({ name }) => name)
		.sort();
}
