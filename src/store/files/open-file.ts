import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { READ_FLAGS } from "./file-system.ts";
import { cannot, storeError } from "./store-error.ts";

/** A regular file, open for reading; the caller closes `fd`. */
export interface OpenFile {
	readonly fd: number;
	/** As of the moment it was opened. */
	readonly stats: Stats;
}

/** Opens a session file for reading; throws for anything but a regular file, and never blocks on a pipe. */
export function openFile(path: string, what = "read the session"): OpenFile {
	const fd = openSync(path, READ_FLAGS);
	try {
		const stats = fstatSync(fd);
		requireRegular(path, stats.mode, what);
		return { fd, stats };
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}

/** Like `openFile`, for a thread that must not wait for the disk; the caller closes `handle`. */
export async function openFileAsync(path: string): Promise<{ readonly handle: FileHandle; readonly stats: Stats }> {
	const handle = await open(path, READ_FLAGS);
	try {
		const stats = await handle.stat();
		requireRegular(path, stats.mode, "read the session");
		return { handle, stats };
	} catch (error) {
		await handle.close();
		throw error;
	}
}

/** Calls `use` with a session file that is open for reading, and closes it. Throws a `StoreError`. */
export function withFile<Result>(path: string, use: (fd: number, stats: Stats) => Result): Result {
	try {
		const { fd, stats } = openFile(path);
		try {
			return use(fd, stats);
		} finally {
			closeSync(fd);
		}
	} catch (error) {
		throw storeError(path, "read the session", error);
	}
}

/** The text of a small file other than a session, opened like `openFile`. Throws the error of the file system. */
export function readTextFile(path: string): string {
	const { fd } = openFile(path, "read the file");
	try {
		return readFileSync(fd, "utf8");
	} finally {
		closeSync(fd);
	}
}

/** Throws a `StoreError` for anything but a regular file; `mode` as in the stats of the open file. */
export function requireRegular(path: string, mode: number, what: string): void {
	if ((mode & constants.S_IFMT) === constants.S_IFREG) return;
	throw cannot(what, path, "not-a-file", "it is not a regular file");
}

/** Requests the bytes of the file from `position` on, as many as there are, for `buffer[start, end)`. */
export interface ReadRequest {
	readonly buffer: Buffer;
	readonly start: number;
	readonly end: number;
	readonly position: number;
}

/** Reads `length` bytes at `position`, fewer at the end of the file. */
export function readBytes(fd: number, position: number, length: number): Buffer {
	const buffer = Buffer.allocUnsafe(length);
	return buffer.subarray(0, readSpan(fd, { buffer, start: 0, end: length, position }));
}

/** Fills a part of a buffer; returns how many bytes there were. */
export function readSpan(fd: number, { buffer, start, end, position }: ReadRequest): number {
	let at = start;
	while (at < end) {
		const length = readSync(fd, buffer, at, end - at, position + at - start);
		if (length === 0) break;
		at += length;
	}
	return at - start;
}
