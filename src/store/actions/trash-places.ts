import { readdirSync } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { attempt } from "../../shared/attempt.ts";
import { basename, dirname, isAbsolute, join } from "../../shared/paths.ts";
import { fileKey, MACOS, rulesOf, type System, thisSystem, xdgDir } from "../../shared/system.ts";
import { readSmallFile } from "../files/open-file.ts";
import { errorCode, storeError } from "../files/store-error.ts";

/** A file in a trash, and the note beside it that says where it was: `.trashinfo` on Linux, `$I…` on Windows; macOS has none. */
export interface TrashedFile {
	readonly path: string;
	readonly info?: string | undefined;
}

const NOTE_END = ".trashinfo";
/** The files that Windows has renamed, and their notes, which have the same ending. */
const BIN = "$Recycle.Bin";
const [BIN_FILE, BIN_NOTE] = ["$R", "$I"];

/**
 * The directories in which the system may have put a file: the trash in the home directory, and those at the top of the file's file
 * system, which may be any directory above it; on Windows that of its drive, which has a directory for each user.
 */
export function trashDirs(path: string, { platform, paths } = thisSystem): string[] {
	if (platform === "win32") return [paths.join(paths.parse(path).root, BIN)];
	const user = process.getuid?.() ?? 0;
	const isMac = platform === "darwin";
	const dirs = [isMac ? join(homedir(), ".Trash") : join(xdgDir("XDG_DATA_HOME", process.env, homedir()), "Trash")];
	for (let top = dirname(path); ; top = dirname(top)) {
		if (isMac) dirs.push(join(top, ".Trashes", String(user)));
		else dirs.push(join(top, ".Trash", String(user)), join(top, `.Trash-${user}`));
		if (top === dirname(top)) return dirs;
	}
}

/** The one of these directories that a file is in. */
export function trashDirOf({ path, info }: TrashedFile): string {
	return info === undefined ? dirname(path) : dirname(dirname(path));
}

/** Whether this may be a file in a trash, by its path and that of its note: a journal could name any. */
export function isInSomeTrash({ path, info }: TrashedFile, { platform } = thisSystem): boolean {
	const { basename, dirname, join } = rulesOf(path);
	const [name, directory] = [basename(path), dirname(path)];
	if (info === undefined) return platform === "darwin" && /\/\.(?:Trash|Trashes\/\d+)$/.test(directory);
	if (platform === "win32" && basename(dirname(directory)) === BIN)
		return name.startsWith(BIN_FILE) && info === join(directory, BIN_NOTE + name.slice(BIN_FILE.length));
	const trash = dirname(directory);
	return path === join(trash, "files", name) && info === join(trash, "info", name + NOTE_END);
}

/**
 * Whether this program may not look into the trash, so that what it puts there cannot be brought back: macOS allows it to terminals with
 * “Full Disk Access”.
 */
export function isTrashClosed(home = homedir(), { platform } = thisSystem): boolean {
	return platform === "darwin" && attempt(() => readdirSync(join(home, ".Trash"))) === undefined;
}

/** The files in these trash directories. Rejects with a `StoreError` when one cannot be read. */
export async function* filesInTrash(
	dirs: readonly string[],
	{ platform } = thisSystem,
): AsyncGenerator<TrashedFile, void> {
	for (const dir of dirs) {
		if (platform === "win32")
			for (const user of await namesIn(dir, dir, CLOSED))
				for (const name of await namesIn(join(dir, user), dir, CLOSED)) {
					if (!name.startsWith(BIN_NOTE)) continue;
					yield { path: join(dir, user, BIN_FILE + name.slice(BIN_NOTE.length)), info: join(dir, user, name) };
				}
		else if (platform === "darwin") for (const name of await namesIn(dir, dir, CLOSED)) yield { path: join(dir, name) };
		else
			for (const name of await namesIn(join(dir, "info"), dir))
				if (name.endsWith(NOTE_END))
					yield { path: join(dir, "files", basename(name, NOTE_END)), info: join(dir, "info", name) };
	}
}

/** What another user's trash on Windows, and all of it on macOS, says to a program that may not look into it. */
const CLOSED = ["EPERM", "EACCES"];

/** Names in a directory of a trash; empty if there is no such directory. `overlooked`: further errors that mean that. */
async function namesIn(directory: string, trash: string, overlooked: readonly string[] = []): Promise<string[]> {
	try {
		return await readdir(directory);
	} catch (error) {
		if (["ENOENT", "ENOTDIR", ...overlooked].includes(errorCode(error))) return [];
		throw storeError(trash, "look into the trash", error);
	}
}

/** A note holds only a path and a date, so a larger file is not a note. */
const MOST_NOTE_BYTES = 64 * 1024;

interface TrashNote {
	/** Original path. Absolute; undefined if it names none. */
	readonly path: string | undefined;
	/** When the file was moved there, Unix ms; NaN if it does not say. */
	readonly deletedMs: number;
}

/** Reads a note. Rejects if it cannot be read. */
export async function readTrashNote(info: string): Promise<TrashNote> {
	const bytes = readSmallFile(info, MOST_NOTE_BYTES);
	return basename(info).startsWith(BIN_NOTE) ? recycleNote(bytes) : desktopNote(info, bytes.toString("utf8"));
}

/**
 * A note of Windows: version, size, time (in units of 100 ns since 1601), since version 2 the length of the path, and the path in UTF-16.
 * https://github.com/libyal/dtformats/blob/main/documentation/Windows%20Recycle.Bin%20file%20formats.asciidoc
 */
function recycleNote(bytes: Buffer): TrashNote {
	const version = bytes.length < 28 ? 0n : bytes.readBigInt64LE(0);
	if (version !== 1n && version !== 2n) return { path: undefined, deletedMs: Number.NaN };
	return {
		path: bytes.toString("utf16le", version === 1n ? 24 : 28).replace(/\0.*$/s, ""),
		deletedMs: Number(bytes.readBigInt64LE(16) / 10_000n) - 11_644_473_600_000,
	};
}

async function desktopNote(info: string, note: string): Promise<TrashNote> {
	const encoded = /^Path=(.*)$/m.exec(note)?.[1];
	// The specification uses local time: `2026-11-21T21:05:09`.
	const deletedMs = Date.parse(/^DeletionDate=(.*)$/m.exec(note)?.[1]?.trim() ?? "");
	// Fails for another program's note with a lone "%".
	const path = encoded === undefined ? undefined : attempt(() => decodeURIComponent(encoded));
	if (path === undefined || isAbsolute(path)) return { path, deletedMs };
	// Relative to the directory that contains the trash directory.
	return { path: join(await realpath(dirname(dirname(dirname(info)))), path), deletedMs };
}

/**
 * Prepares to find a file that is about to be moved to the trash, where nothing tells what its place there is: it is one of those that are
 * new. Never rejects; resolves to undefined if it is not found, or if Linux tells.
 */
export async function prepareToFind(
	path: string,
	size: number,
	system = thisSystem,
): Promise<() => Promise<TrashedFile | undefined>> {
	if (!["darwin", "win32"].includes(system.platform)) return async () => undefined;
	const at = new Date().toISOString();
	const dirs = trashDirs(path, system);
	const earlierPaths = new Set<string>();
	for await (const file of filesInTrash(dirs, system)) earlierPaths.add(file.path);
	return () => findInTrash(path, size, at, dirs, { system, earlierPaths }).catch(() => undefined);
}

/**
 * The place of a file that was moved to the trash from `path` at the time (ISO 8601) or later, when it had `size` bytes; undefined if it
 * is in none. `earlierPaths`: of what has been there before. Rejects with a `StoreError` when a trash cannot be read.
 */
export async function findInTrash(
	path: string,
	size: number,
	at: string,
	dirs: readonly string[],
	{ system = thisSystem, earlierPaths }: { readonly system?: System; readonly earlierPaths?: ReadonlySet<string> } = {},
): Promise<TrashedFile | undefined> {
	// Some file systems store the note's time in whole seconds.
	const earliestMs = Date.parse(at) - 2000;
	for await (const trashed of filesInTrash(dirs, system)) {
		if (earlierPaths?.has(trashed.path)) continue;
		try {
			if ((await lstat(trashed.path)).size !== size) continue;
			if (await isFrom(path, trashed, earliestMs)) return trashed;
		} catch (error) {
			// A note without a file, one that was just removed, or something that is not a note.
			if (["ENOENT", "not-a-file", "too-large"].includes(errorCode(error))) continue;
			throw storeError(trashed.info ?? trashed.path, "look into the trash", error);
		}
	}
	return undefined;
}

async function isFrom(path: string, trashed: TrashedFile, earliestMs: number): Promise<boolean> {
	const { info } = trashed;
	if (info === undefined) {
		const name = fileKey(basename(trashed.path), MACOS);
		const stem = fileKey(basename(path, ".jsonl"), MACOS);
		// A name that is taken there gets a number or a time before its ending, or behind it.
		return name.startsWith(stem) && /^[. ]/.test(name.slice(stem.length));
	}
	if ((await lstat(info)).mtimeMs < earliestMs) return false;
	return isSameFile((await readTrashNote(info)).path, path);
}

export function isSameFile(path: string | undefined, other: string): boolean {
	return path !== undefined && fileKey(path) === fileKey(other);
}
