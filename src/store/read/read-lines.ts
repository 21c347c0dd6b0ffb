import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Breather } from "../../shared/steps.ts";
import { StoreError, storeError } from "../files/store-error.ts";
import { LineSplitter, MAX_LINE_BYTES, type RawLine } from "../format/lines.ts";

/** Bytes that are read at a time. */
const CHUNK_BYTES = 256 * 1024;
/** So many of the last bytes are remembered, to tell a file that has grown from one that was rewritten. */
export const TAIL_BYTES = 4096;

/** The file as it was found when it was read. */
export interface FileFacts {
	/** Bytes that were read. */
	readonly size: number;
	readonly modified: Date;
	readonly dev: number;
	readonly ino: number;
	/** The last bytes that were read, up to TAIL_BYTES. */
	readonly tail: Buffer;
}

/**
 * Reads a file and gives its lines to `onLine`, letting the event loop have its turn now and then. The file is opened
 * read-only; what is appended while it is read is read too.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readLines(
	path: string,
	breather: Breather,
	onLine: (line: RawLine) => void,
	signal?: AbortSignal,
	maxLineBytes = MAX_LINE_BYTES,
): Promise<FileFacts> {
	signal?.throwIfAborted();
	try {
		// Without O_NONBLOCK opening a named pipe would wait for its writer for ever. Windows has no such flag.
		const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		try {
			return await readFrom(handle, path, breather, onLine, signal, new LineSplitter(maxLineBytes));
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
	breather: Breather,
	onLine: (line: RawLine) => void,
	signal: AbortSignal | undefined,
	splitter: LineSplitter,
): Promise<FileFacts> {
	const stats = await handle.stat();
	if (!stats.isFile())
		throw new StoreError(path, "not-a-file", `Cannot read the session ${path}: it is no regular file.`);
	const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
	let size = 0;
	let tail: Buffer = Buffer.alloc(0);
	for (;;) {
		const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
		signal?.throwIfAborted();
		if (bytesRead === 0) break;
		size += bytesRead;
		const end = Buffer.concat([tail, buffer.subarray(Math.max(0, bytesRead - TAIL_BYTES), bytesRead)]);
		tail = end.subarray(Math.max(0, end.length - TAIL_BYTES));
		for (const line of splitter.push(buffer.subarray(0, bytesRead))) {
			onLine(line);
			if (breather.due()) await breather.breathe();
		}
	}
	const last = splitter.end();
	if (last) onLine(last);
	return { size, modified: stats.mtime, dev: stats.dev, ino: stats.ino, tail };
}
