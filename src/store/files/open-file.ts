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
export async function openFileAsync(
	path: string,
	what = "read the session",
): Promise<{ readonly handle: FileHandle; readonly stats: Stats }> {
	const handle = await open(path, READ_FLAGS);
	try {
		const stats = await handle.stat();
		requireRegular(path, stats.mode, what);
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

/** Bytes of a file other than a session that are read, at most, if the caller knows no lower limit: all of ours are far smaller. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The text of a small file other than a session: ours, pi's, or one of the person. It is opened like `openFile`, and not read if it has more
 * than `maxBytes`. Throws the error of the file system, or a `StoreError`.
 */
export function readTextFile(path: string, maxBytes?: number): string {
	return readSmallFile(path, maxBytes).toString("utf8");
}

export function readSmallFile(path: string, maxBytes: number = MAX_BYTES): Buffer {
	const { fd, stats } = openFile(path, READ_FILE);
	try {
		requireSmall(path, stats.size, maxBytes);
		return readFileSync(fd);
	} finally {
		closeSync(fd);
	}
}

/** Like `readTextFile`, for a thread that must not wait for the disk. */
export async function readTextFileAsync(path: string, maxBytes: number = MAX_BYTES): Promise<string> {
	const { handle, stats } = await openFileAsync(path, READ_FILE);
	try {
		requireSmall(path, stats.size, maxBytes);
		return await handle.readFile("utf8");
	} finally {
		await handle.close();
	}
}

const READ_FILE = "read the file";

function requireSmall(path: string, bytes: number, maxBytes: number): void {
	if (bytes > maxBytes) throw cannot(READ_FILE, path, "too-large", `it is larger than ${limitOf(maxBytes)}`);
}

/** "64 MiB", "256 KiB". */
function limitOf(bytes: number): string {
	return bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
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
