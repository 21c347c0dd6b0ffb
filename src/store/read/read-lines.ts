import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { TimeSlice } from "../../shared/time-slice.ts";
import { StoreError, storeError } from "../files/store-error.ts";
import { LineSplitter, type RawLine } from "../format/lines.ts";

/** Bytes that are read at a time. */
const CHUNK_BYTES = 256 * 1024;

/** The file as it was found when it was read. */
export interface FileFacts {
	/** Bytes that were read. */
	readonly size: number;
	readonly modified: Date;
}

/**
 * Reads a file and gives its lines to `onLine`, letting the event loop have its turn now and then. The file is opened
 * read-only; what is appended while it is read is read too.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readLines(
	path: string,
	timeSlice: TimeSlice,
	onLine: (line: RawLine) => void,
	signal?: AbortSignal,
): Promise<FileFacts> {
	signal?.throwIfAborted();
	try {
		// Without O_NONBLOCK opening a named pipe would wait for its writer for ever. Windows has no such flag.
		const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		try {
			return await readFrom(handle, path, timeSlice, onLine, signal, new LineSplitter());
		} finally {
			await handle.close();
		}
	} catch (error) {
		signal?.throwIfAborted();
		throw storeError(path, "read the session", error);
	}
}

async function readFrom(
	handle: FileHandle,
	path: string,
	timeSlice: TimeSlice,
	onLine: (line: RawLine) => void,
	signal: AbortSignal | undefined,
	splitter: LineSplitter,
): Promise<FileFacts> {
	const stats = await handle.stat();
	if (!stats.isFile())
		throw new StoreError(path, "not-a-file", `Cannot read the session ${path}: it is no regular file.`);
	const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
	let size = 0;
	for (;;) {
		const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
		signal?.throwIfAborted();
		if (bytesRead === 0) break;
		size += bytesRead;
		for (const line of splitter.push(buffer.subarray(0, bytesRead))) {
			onLine(line);
			if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
		}
	}
	const last = splitter.end();
	if (last) onLine(last);
	return { size, modified: stats.mtime };
}
