import { closeSync } from "node:fs";
import { type Breather, runSteps } from "../../shared/steps.ts";
import { type FileStamp, stampOf } from "../files/file-stamp.ts";
import { openFile, openFileAsync } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import { MAX_LINE_BYTES, type RawLine } from "../format/lines.ts";
import { type FileLine, rawLine, readLinesAsync, readLinesSteps } from "./line-reader.ts";

/**
 * Reads a file and passes its lines to `onLine`, letting the event loop run now and then. The file is opened read-only;
 * what is appended meanwhile is read too. Returns the file's stamp, with the number of bytes that were read as its size.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readLines(
	path: string,
	breather: Breather,
	onLine: (line: RawLine) => void,
	signal?: AbortSignal,
	maxLineBytes = MAX_LINE_BYTES,
): Promise<FileStamp> {
	signal?.throwIfAborted();
	const take = numbered(onLine);
	const takeAndPause = (line: FileLine) => {
		take(line);
		return !breather.due();
	};
	const rest = async () => {
		signal?.throwIfAborted();
		if (breather.due()) await breather.breathe();
	};
	try {
		const { handle, stats } = await openFileAsync(path);
		try {
			const size = await readLinesAsync(handle, { maxLineBytes, onLine: takeAndPause }, rest);
			return { ...stampOf(stats), size };
		} finally {
			await handle.close();
		}
	} catch (error) {
		signal?.throwIfAborted();
		throw storeError(path, "read the session", error);
	}
}

/** The same without a break; returns the number of bytes that were read. Throws a `StoreError`. */
export function readLinesSync(path: string, onLine: (line: RawLine) => void, maxLineBytes = MAX_LINE_BYTES): number {
	const take = numbered(onLine);
	try {
		const { fd } = openFile(path);
		try {
			return runSteps(readLinesSteps(fd, { maxLineBytes, onLine: take }));
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
