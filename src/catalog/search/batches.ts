import type { SearchFile } from "./search.ts";

/** The first batch is small, to fill a screen soon. Later ones grow, up to what takes a few tenths of a second. */
const FIRST_BYTES = 16 * 1024 * 1024;
const GROWTH = 16;
const MAX_BYTES = 512 * 1024 * 1024;
/** A command line with its environment may have 32 KB on Windows, 1 MB on macOS and 2 MB on Linux. */
const MAX_ARGUMENTS = process.platform === "win32" ? 24_000 : process.platform === "linux" ? 1_000_000 : 400_000;

/**
 * Splits the files into batches, one per run of ripgrep, keeping their order. `soon`: the first results are wanted before the others;
 * otherwise only the length of a command line limits a batch.
 */
export function* batchesOf(files: readonly SearchFile[], soon = true): Generator<readonly SearchFile[]> {
	let batch: SearchFile[] = [];
	let bytes = 0;
	let length = 0;
	let most = soon ? FIRST_BYTES : Number.POSITIVE_INFINITY;
	for (const file of files) {
		const argument = Buffer.byteLength(file.path) + 3;
		if (batch.length > 0 && (bytes + file.size > most || length + argument > MAX_ARGUMENTS)) {
			yield batch;
			batch = [];
			bytes = 0;
			length = 0;
			most = Math.min(most * GROWTH, MAX_BYTES);
		}
		batch.push(file);
		bytes += file.size;
		length += argument;
	}
	if (batch.length > 0) yield batch;
}
