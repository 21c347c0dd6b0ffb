import type { FileHandle } from "node:fs/promises";
import { runToEnd, type TimeSlice } from "../../shared/steps.ts";
import { type FileStamp, stampOf } from "../files/file-system.ts";
import { openFileAsync, withFile } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import type { RawLine } from "../format/parse.ts";
import { type FileLine, rawLine, readLinesAsync, readLinesSteps } from "./line-reader.ts";

interface FileReading extends FileStamp {
	/** The last bytes, up to END_BYTES, to tell later whether the file has only grown. */
	readonly end: Buffer;
}

const END_BYTES = 4096;

/**
 * Reads a file and passes its lines to `take`, with their numbers, letting the event loop run now and then. The file is opened
 * read-only; what is appended meanwhile is read too. Returns the file's stamp, with the number of bytes read as its size, and its
 * end; undefined if `take` has returned false, which ends the reading.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readLines(
	path: string,
	timeSlice: TimeSlice,
	take: (line: FileLine, number: number) => boolean,
	signal?: AbortSignal,
): Promise<FileReading | undefined>;
export async function readLines(
	path: string,
	timeSlice: TimeSlice,
	take: (line: FileLine, number: number) => void,
	signal?: AbortSignal,
): Promise<FileReading>;
export async function readLines(
	path: string,
	timeSlice: TimeSlice,
	take: (line: FileLine, number: number) => unknown,
	signal?: AbortSignal,
): Promise<FileReading | undefined> {
	signal?.throwIfAborted();
	let number = 0;
	let isOver = false;
	const onLine = (line: FileLine) => {
		number += 1;
		isOver ||= take(line, number) === false;
		return !isOver && !timeSlice.shouldYield();
	};
	const rest = async () => {
		signal?.throwIfAborted();
		if (!isOver && timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
		return !isOver;
	};
	try {
		const { handle, stats } = await openFileAsync(path);
		try {
			const size = await readLinesAsync(handle, { onLine }, rest);
			return size === undefined || isOver ? undefined : { ...stampOf(stats), size, end: await readEnd(handle, size) };
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

/** Reads the lines of a file without a pause. Throws a `StoreError`. */
export function readLinesSync(path: string, onLine: (line: RawLine) => void, maxLineBytes: number): void {
	let number = 0;
	const take = (line: FileLine): true => {
		number += 1;
		onLine(rawLine(line, number));
		return true;
	};
	withFile(path, (fd) => runToEnd(readLinesSteps(fd, { maxLineBytes, onLine: take })));
}
