import type { SearchFile } from "./search.ts";

/** The first batch is small, to fill a screen soon. Later ones grow, up to what takes a few tenths of a second. */
const FIRST_BYTES = 16 * 1024 * 1024;
const GROWTH = 16;
const MAX_BYTES = 512 * 1024 * 1024;

/** Splits files into batches, one per pass of ripgrep, keeping their order, so that the first results come before the others. */
export function* batchesOf(files: readonly SearchFile[]): Generator<readonly SearchFile[]> {
	let batch: SearchFile[] = [];
	let bytes = 0;
	let most = FIRST_BYTES;
	for (const file of files) {
		if (batch.length > 0 && bytes + file.size > most) {
			yield batch;
			[batch, bytes, most] = [[], 0, Math.min(most * GROWTH, MAX_BYTES)];
		}
		batch.push(file);
		bytes += file.size;
	}
	if (batch.length > 0) yield batch;
}
