import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { type GitNote, topOf } from "../../../catalog/git/git-notes.ts";
import { basename, dirname, join, relative, sep } from "../../../shared/paths.ts";
import { mapInTurn } from "../../../shared/steps.ts";
import { type DiskRead, NoAnswer } from "../../../store/files/disk-read.ts";
import { errorCode, explain } from "../../../store/files/store-error.ts";

export type DirectoryFate =
	/** `real`: its path without links. */
	| { readonly kind: "there"; readonly real: string }
	/** Nothing is there, or something other than a directory. */
	| { readonly kind: "gone" }
	/** The directory could not be checked, so it may exist. */
	| { readonly kind: "unknown"; readonly why: string };

/** Whether directories exist. One that cannot be checked is not gone: its disk may be slow, or access denied. */
export async function checkDirectories(
	directories: readonly string[],
	readDisk: DiskRead,
): Promise<ReadonlyMap<string, DirectoryFate>> {
	return new Map(await mapInTurn(directories, async (each) => [each, await fateOf(each, readDisk)] as const));
}

export async function fateOf(directory: string, readDisk: DiskRead): Promise<DirectoryFate> {
	try {
		const [stats, real] = await readDisk(directory, () => Promise.all([stat(directory), realpath(directory)]));
		return stats.isDirectory() ? { kind: "there", real } : { kind: "gone" };
	} catch (error) {
		if (error instanceof NoAnswer) return { kind: "unknown", why: error.message };
		const code = errorCode(error);
		return code === "ENOENT" || code === "ENOTDIR" ? { kind: "gone" } : { kind: "unknown", why: explain(error) };
	}
}

async function isThere(directory: string, readDisk: DiskRead): Promise<boolean> {
	return (await fateOf(directory, readDisk)).kind === "there";
}

/** Folders that are looked into or offered: a longer list is of no use. */
const MOST_FOLDERS = 2000;

/** The names of the folders in a directory, including links to folders; none if it cannot be read. */
export async function listFolders(directory: string, readDisk: DiskRead): Promise<readonly string[]> {
	const entries = await readDisk(directory, () => readdir(directory, { withFileTypes: true })).catch(
		(): Dirent[] => [],
	);
	const folders = await mapInTurn(
		entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).slice(0, MOST_FOLDERS),
		async (entry) => ({
			name: entry.name,
			isFolder: entry.isDirectory() || (await isThere(join(directory, entry.name), readDisk)),
		}),
	);
	return folders
		.filter(({ isFolder }) => isFolder)
		.map(({ name }) => name)
		.sort();
}

/** A directory that the field for one offers before anything is typed. */
export interface OfferedDirectory {
	readonly directory: string;
	/** Why it may be the one that is gone: "same Git remote", "same name"; "" for any other directory of sessions. */
	readonly why: string;
}

/**
 * The directories to offer for the sessions of `gone`, if that is set, or for a copy: first the likeliest, at most one of each kind, then
 * the `known` ones of sessions, as far as they exist. `notes`: what Git knew of directories while they existed, by directory.
 */
export async function offerDirectories(
	gone: string | undefined,
	known: readonly string[],
	notes: ReadonlyMap<string, GitNote>,
	readDisk: DiskRead,
): Promise<readonly OfferedDirectory[]> {
	const likely = gone === undefined ? [] : await likelyDirectories(gone, notes, readDisk);
	const named = new Set(likely.map(({ directory }) => directory));
	const there = await mapInTurn(known, (each) => isThere(each, readDisk));
	return [
		...likely,
		...known.filter((each, index) => there[index] && !named.has(each)).map((directory) => ({ directory, why: "" })),
	];
}

/** Where the sessions of a missing directory may belong now: in a clone of the same repository, or beside it under the same name. */
async function likelyDirectories(
	gone: string,
	notes: ReadonlyMap<string, GitNote>,
	readDisk: DiskRead,
): Promise<readonly OfferedDirectory[]> {
	const clone = await firstThere(clonesOf(gone, notes), readDisk);
	const namesake = await firstThere(await namesakesOf(gone, readDisk), readDisk);
	return [
		...(clone === undefined ? [] : [{ directory: clone, why: "same Git remote" }]),
		...(namesake === undefined || namesake === clone ? [] : [{ directory: namesake, why: "same name" }]),
	];
}

/** The corresponding directories in noted clones of the same remote repository, the last seen first. */
function clonesOf(gone: string, notes: ReadonlyMap<string, GitNote>): readonly string[] {
	const { remote = "", inside = "" } = notes.get(gone) ?? {};
	if (remote === "") return [];
	const clones = [...notes].filter(([directory, note]) => note.remote === remote && directory !== gone);
	return clones.map(([directory, note]) => join(topOf(directory, note), inside));
}

/** Directories of the same name below the nearest existing directory above, or beside that: a folder was renamed or moved. */
async function namesakesOf(gone: string, readDisk: DiskRead): Promise<readonly string[]> {
	let above = dirname(gone);
	while (dirname(above) !== above && !(await isThere(above, readDisk))) above = dirname(above);
	const places = above === dirname(gone) ? [above, dirname(above)] : [above];
	const directories: string[] = [];
	for (const place of places) {
		// The file system's root holds no projects.
		if (dirname(place) === place) continue;
		const [, ...rest] = relative(place, gone).split(sep);
		const folders = (await listFolders(place, readDisk)).filter((name) => !/^\.|^node_modules$/.test(name));
		const ways = rest.length === 0 ? [] : [join(...rest)];
		for (const way of [...ways, basename(gone)]) directories.push(...folders.map((folder) => join(place, folder, way)));
		directories.push(join(place, basename(gone)));
	}
	return directories;
}

async function firstThere(directories: readonly string[], readDisk: DiskRead): Promise<string | undefined> {
	const there = await mapInTurn(directories, (each) => isThere(each, readDisk));
	return directories.find((_, index) => there[index]);
}
