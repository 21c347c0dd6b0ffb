import { closeSync, fstatSync, openSync, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { READ_FLAGS } from "./file-system.ts";
import { StoreError } from "./store-error.ts";

/** A regular file that is open for reading; the caller closes `fd`. */
export interface OpenFile {
	readonly fd: number;
	/** As of the moment it was opened. */
	readonly stats: Stats;
}

/** Opens a session file for reading; throws for anything but a regular file, and never waits for a pipe. */
export function openFile(path: string): OpenFile {
	const fd = openSync(path, READ_FLAGS);
	try {
		return { fd, stats: checked(path, fstatSync(fd)) };
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}

/** Like `openFile`, for a thread that must not wait for the disk; the caller closes `handle`. */
export async function openFileAsync(path: string): Promise<{ readonly handle: FileHandle; readonly stats: Stats }> {
	const handle = await open(path, READ_FLAGS);
	try {
		return { handle, stats: checked(path, await handle.stat()) };
	} catch (error) {
		await handle.close();
		throw error;
	}
}

function checked(path: string, stats: Stats): Stats {
	if (stats.isFile()) return stats;
	const reason = "it is not a regular file";
	throw new StoreError(path, "not-a-file", `Cannot read the session: ${reason}. Path: ${path}`);
}
