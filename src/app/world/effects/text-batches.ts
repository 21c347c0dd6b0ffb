import { TimeSlice } from "../../../shared/time-slice.ts";

/** Characters that are handed on at once. */
const BATCH = 64_000;

/** Pieces of a text, joined to larger ones; made a few milliseconds at a time, since there may be any amount. */
export async function* textBatches(pieces: Iterable<string>): AsyncGenerator<string> {
	const slice = new TimeSlice();
	let batch = "";
	for (const piece of pieces) {
		batch += piece;
		if (batch.length >= BATCH) {
			yield batch;
			batch = "";
		}
		if (slice.shouldYield()) await slice.yieldToEventLoop();
	}
	if (batch !== "") yield batch;
}
