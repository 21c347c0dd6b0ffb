import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { Breather } from "../../shared/steps.ts";
import { openFileAsync } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import { LineSplitter, MAX_LINE_BYTES, type RawLine } from "../format/lines.ts";

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
	breather: Breather,
	onLine: (line: RawLine) => void,
	signal?: AbortSignal,
	maxLineBytes = MAX_LINE_BYTES,
): Promise<FileFacts> {
	signal?.throwIfAborted();
	try {
		const { handle, stats } = await openFileAsync(path);
		try {
			return await readFrom(handle, stats, breather, onLine, signal, new LineSplitter(maxLineBytes));
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
	stats: Stats,
	breather: Breather,
	onLine: (line: RawLine) => void,
	signal: AbortSignal | undefined,
	splitter: LineSplitter,
): Promise<FileFacts> {
	const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
	let size = 0;
	for (;;) {
		const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
		signal?.throwIfAborted();
		if (bytesRead === 0) break;
		size += bytesRead;
		for (const line of splitter.push(buffer.subarray(0, bytesRead))) {
			onLine(line);
			if (breather.due()) await breather.breathe();
		}
	}
	const last = splitter.end();
	if (last) onLine(last);
	return { size, modified: stats.mtime };
}
