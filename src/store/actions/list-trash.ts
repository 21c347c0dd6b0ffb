import type { Dirent } from "node:fs";
import { lstat, readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { TimeSlice } from "../../shared/steps.ts";
import { xdgDir } from "../../shared/system.ts";
import { readTextFile } from "../files/open-file.ts";
import { errorCode, storeError } from "../files/store-error.ts";
import { readHeader } from "../read/read-header.ts";
import { pathInNote, type TrashReceipt } from "./trash.ts";

type Trashed = NonNullable<TrashReceipt["trashed"]>;

interface SessionInTrash {
	readonly trashed: Trashed;
	/** Original path. Absolute. */
	readonly path: string;
	/** In bytes; of a link, its own size. */
	readonly size: number;
	/** When it was moved there, Unix ms; NaN if the note does not say. */
	readonly deletedMs: number;
}

const NOTE_END = ".trashinfo";
/** A note holds only a path and a date, so a larger file is not a note. */
const MOST_NOTE_BYTES = 64 * 1024;

/**
 * The session files in these trash directories: files named like a session, with a header. `knownPaths`: paths of files in the
 * trash that are listed whatever they contain. Rejects with a `StoreError` when a trash cannot be read; a note that cannot be
 * read is skipped.
 */
export async function listTrash(dirs: readonly string[], knownPaths: ReadonlySet<string>): Promise<SessionInTrash[]> {
	const slice = new TimeSlice();
	const sessions: SessionInTrash[] = [];
	for await (const trashed of notedIn(dirs)) {
		const session = await trashedSession(trashed, knownPaths);
		if (session !== undefined) sessions.push(session);
		if (slice.shouldYield()) await slice.yieldToEventLoop();
	}
	return sessions;
}

async function* notedIn(dirs: readonly string[]): AsyncGenerator<Trashed> {
	for (const dir of dirs)
		for (const name of await notesIn(dir))
			yield { path: join(dir, "files", basename(name, NOTE_END)), info: join(dir, "info", name) };
}

/** Names of the notes in a trash directory; empty if there is no such directory. */
async function notesIn(dir: string): Promise<string[]> {
	let entries: Dirent[];
	try {
		entries = await readdir(join(dir, "info"), { withFileTypes: true });
	} catch (error) {
		if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return [];
		throw storeError(dir, "look into the trash", error);
	}
	return entries.filter((entry) => entry.name.endsWith(NOTE_END)).map(({ name }) => name);
}

async function trashedSession(trashed: Trashed, knownPaths: ReadonlySet<string>): Promise<SessionInTrash | undefined> {
	const { info } = trashed;
	try {
		if ((await lstat(info)).size > MOST_NOTE_BYTES) return undefined;
		const note = readTextFile(info);
		const path = await pathInNote(info, note);
		if (path === undefined || !path.endsWith(".jsonl")) return undefined;
		const { size } = await lstat(trashed.path);
		if (!knownPaths.has(trashed.path) && !(await isSession(trashed.path))) return undefined;
		return { trashed, path, size, deletedMs: deletionTime(note) };
	} catch {
		// A note without a file, in another format, or just removed; or another user's file.
		return undefined;
	}
}

/** Only regular files are opened. */
async function isSession(path: string): Promise<boolean> {
	return (await stat(path)).isFile() && readHeader(path) !== undefined;
}

/** The specification uses local time: `2026-11-21T21:05:09`. */
function deletionTime(note: string): number {
	const text = /^DeletionDate=(.*)$/m.exec(note)?.[1]?.trim();
	return text === undefined ? Number.NaN : Date.parse(text);
}

/**
 * The directories in which the trash of a Linux desktop may have put a file: the one in the home directory, and those at the
 * top of the file's file system, which may be any directory above it. Empty on other systems, which do not report it.
 */
export function trashDirs(path: string, platform: NodeJS.Platform = process.platform): string[] {
	if (platform === "win32" || platform === "darwin") return [];
	const user = process.getuid?.() ?? 0;
	const dirs = [join(xdgDir("XDG_DATA_HOME", process.env, homedir()), "Trash")];
	for (let top = dirname(path); ; top = dirname(top)) {
		dirs.push(join(top, ".Trash", String(user)), join(top, `.Trash-${user}`));
		if (top === dirname(top)) return dirs;
	}
}

/**
 * The receipt of a file that was moved to the trash from `path` at the time (ISO 8601) or later, when it had `size`
 * bytes; undefined if there is none. Rejects with a `StoreError` when a trash cannot be read.
 */
export async function findInTrash(
	path: string,
	size: number,
	at: string,
	dirs: readonly string[],
): Promise<TrashReceipt | undefined> {
	// Some file systems store the note's time in whole seconds.
	const earliestMs = Date.parse(at) - 2000;
	for await (const trashed of notedIn(dirs))
		if (await isWanted(trashed, path, size, earliestMs)) return { path, size, trashed };
	return undefined;
}

async function isWanted(trashed: Trashed, path: string, size: number, earliestMs: number): Promise<boolean> {
	try {
		const file = await lstat(trashed.path);
		if (file.size !== size || (await lstat(trashed.info)).mtimeMs < earliestMs) return false;
		return (await pathInNote(trashed.info, readTextFile(trashed.info))) === path;
	} catch (error) {
		// A note without a file, one that was just removed, or something that is not a note.
		if (errorCode(error) === "ENOENT" || errorCode(error) === "not-a-file") return false;
		throw storeError(trashed.info, "look into the trash", error);
	}
}
