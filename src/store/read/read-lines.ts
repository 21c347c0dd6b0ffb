import { closeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { runToEnd, type TimeSlice } from "../../shared/steps.ts";
import { type FileStamp, stampOf } from "../files/file-stamp.ts";
import { openFile, openFileAsync } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import { MAX_LINE_BYTES, type RawLine } from "../format/parse.ts";
import { type FileLine, rawLine, readLinesAsync, readLinesSteps } from "./line-reader.ts";

/** The result of `readLines`. */
interface ReadFile extends FileStamp {
	/** The last bytes, up to END_BYTES, to tell later whether the file has only grown. */
	readonly end: Buffer;
}

const END_BYTES = 4096;

/**
 * Reads a file and passes its lines to `onLine`, letting the event loop run now and then. The file is opened read-only;
 * what is appended meanwhile is read too. Returns the file's stamp, with the number of bytes read as its size, and its end.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readLines(
	path: string,
	timeSlice: TimeSlice,
	onLine: (line: RawLine) => void,
	signal?: AbortSignal,
): Promise<ReadFile> {
	signal?.throwIfAborted();
	const take = numbered(onLine);
	const takeAndPause = (line: FileLine) => {
		take(line);
		return !timeSlice.shouldYield();
	};
	const rest = async () => {
		signal?.throwIfAborted();
		if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
	};
	try {
		const { handle, stats } = await openFileAsync(path);
		try {
			const size = await readLinesAsync(handle, { onLine: takeAndPause }, rest);
			return { ...stampOf(stats), size, end: await readEnd(handle, size) };
		} finally {
			await handle.close();
		}
	} catch (error) {
		signal?.throwIfAborted();
		throw storeError(path, "read the session", error);
	}
}

/** The last of the first `size` bytes of a file, up to END_BYTES. Rejects with the error of the file system. */
export async function readEnd(handle: FileHandle, size: number): Promise<Buffer> {
	const end = Buffer.alloc(Math.min(END_BYTES, size));
	const { bytesRead } = await handle.read(end, 0, end.length, size - end.length);
	return end.subarray(0, bytesRead);
}

/** Reads the lines of a file without a pause; returns the number of bytes read. Throws a `StoreError`. */
export function readLinesSync(path: string, onLine: (line: RawLine) => void, maxLineBytes = MAX_LINE_BYTES): number {
	const take = numbered(onLine);
	try {
		const { fd } = openFile(path);
		try {
			return runToEnd(readLinesSteps(fd, { maxLineBytes, onLine: take }));
		} finally {
			closeSync(fd);
		}
	} catch (error) {
		throw storeError(path, "read the session", error);
	}
}

/** Numbers the lines of a file that is read from its beginning. */
function numbered(onLine: (line: RawLine) => void): (line: FileLine) => true {
	let number = 0;
	return (line) => {
		number += 1;
		onLine(rawLine(line, number));
		return true;
	};
}
