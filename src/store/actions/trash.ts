import type { Stats } from "node:fs";
import { lstat, mkdir, realpath, stat, unlink } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { moveFile } from "../files/move-file.ts";
import { readTextFile } from "../files/open-file.ts";
import { errorCode, explain, StoreError, storeError } from "../files/store-error.ts";
import { isObject } from "../format/parse.ts";

/** What is needed to restore a session from the trash. */
export interface TrashReceipt {
	/** Where the file was. Absolute. */
	readonly path: string;
	/** In bytes, when it was moved to the trash; of a link, its own size. */
	readonly size: number;
	/** The file and its `.trashinfo` note in the trash (Linux); absent on systems that do not report them. */
	readonly trashed?: { readonly path: string; readonly info: string } | undefined;
}

/**
 * Moves a session file to the system's trash; of a link, the link, and the file that it leads to stays. Nothing is ever
 * deleted: if the trash does not take the file, it stays, and this rejects with a `StoreError` that says why. `seen`: the
 * file as a question showed it, in bytes (of a link, the file that it leads to, 0 where there is none); when it is another
 * one now, this rejects with the code "changed" and the file stays.
 */
export async function trashSession(path: string, seen?: { readonly size: number }): Promise<TrashReceipt> {
	const absolute = resolve(path);
	requireSessionName(absolute, "move to the trash");
	const stats = await statsOf(absolute);
	if (!stats.isFile() && !stats.isSymbolicLink()) throw notTrashed(absolute, "it is not a regular file", undefined);
	if (seen !== undefined) await requireSize(absolute, seen.size);
	let reported: unknown;
	try {
		// Loaded when needed: most runs never trash anything, and it would be a large part of the start-up time.
		const { default: trash } = await import("trash");
		reported = await trash(absolute, { glob: false });
	} catch (error) {
		throw notTrashed(absolute, explain(error), error);
	}
	if (await exists(absolute)) throw notTrashed(absolute, "the system's trash did not take it", undefined);
	return { path: absolute, size: stats.size, trashed: pathIn(reported) };
}

/**
 * Moves a session back to where it was, a link as the link that it was. Never replaces a file. Returns its path.
 * Rejects with a `StoreError` when it is no longer in the trash, when another file has its path now, and for a receipt
 * of anything but a session file; then nothing has changed.
 */
export async function restoreSession(receipt: TrashReceipt): Promise<string> {
	const { path, trashed } = receipt;
	requireSessionName(path, "restore from the trash");
	if (trashed === undefined) {
		const message = `Cannot restore ${path}: this system does not tell where its trash put the file; restore it there.`;
		throw new StoreError(path, "no-place", message);
	}
	try {
		await checkNote(trashed.info, path);
		await mkdir(dirname(path), { recursive: true });
		await moveFile(trashed.path, path);
		await unlink(trashed.info);
		return path;
	} catch (error) {
		throw storeError(path, `restore from the trash (${trashed.path})`, error);
	}
}

/** Only what is listed as a session is moved: a receipt comes from a file, which may say anything. */
function requireSessionName(path: string, what: string): void {
	if (path.endsWith(".jsonl") && isAbsolute(path)) return;
	const message = `Cannot ${what} ${path}: it is not the absolute path of a session file, whose name ends in .jsonl.`;
	throw new StoreError(path, "not-a-session", message);
}

async function requireSize(path: string, expected: number): Promise<void> {
	const size = await sizeBehind(path);
	if (size === expected) return;
	const message = `Cannot move ${path} to the trash: it had ${expected} bytes when you were asked and has ${size} now, so something was written to it meanwhile. Look at it again. Nothing was deleted.`;
	throw new StoreError(path, "changed", message);
}

async function statsOf(path: string): Promise<Stats> {
	try {
		return await lstat(path);
	} catch (error) {
		throw storeError(path, "move to the trash", error);
	}
}

/** Of the file that a link leads to; 0 where it leads nowhere, as the list shows it. */
async function sizeBehind(path: string): Promise<number> {
	try {
		return (await stat(path)).size;
	} catch (error) {
		if (errorCode(error) === "ENOENT" || errorCode(error) === "ELOOP") return 0;
		throw storeError(path, "move to the trash", error);
	}
}

async function exists(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch (error) {
		if (errorCode(error) === "ENOENT") return false;
		throw storeError(path, "look whether the trash took", error);
	}
}

function notTrashed(path: string, why: string, cause: unknown): StoreError {
	const message = `Cannot move ${path} to the trash: ${why}. The file is still there; nothing was deleted.`;
	return new StoreError(path, "not-trashed", message, cause);
}

/** By its types `trash` resolves to nothing; on Linux it actually resolves to where each file went. */
function pathIn(reported: unknown): TrashReceipt["trashed"] {
	const first: unknown = Array.isArray(reported) ? reported[0] : undefined;
	return isObject(first) && typeof first.path === "string" && typeof first.info === "string"
		? { path: first.path, info: first.info }
		: undefined;
}

/** Makes sure that the note is about this file: the trash may have been emptied and used again. */
async function checkNote(info: string, path: string): Promise<void> {
	const encoded = /^Path=(.*)$/m.exec(readTextFile(info))?.[1];
	const noted = encoded === undefined ? undefined : decoded(encoded);
	if (noted !== undefined && (isAbsolute(noted) ? noted === path : (await topOf(info, noted)) === path)) return;
	throw new StoreError(
		path,
		"changed",
		`Cannot restore ${path}: the note in the trash (${info}) is about another file.`,
	);
}

function decoded(encoded: string): string | undefined {
	try {
		return decodeURIComponent(encoded);
	} catch {
		// Not a path that a trash has written.
		return undefined;
	}
}

/** A relative path in a note is relative to the directory that contains the trash directory. */
async function topOf(info: string, noted: string): Promise<string> {
	return join(await realpath(dirname(dirname(dirname(info)))), noted);
}
