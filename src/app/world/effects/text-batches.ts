import { TimeSlice } from "../../../shared/time-slice.ts";

/** Characters in a batch, at least. */
const BATCH = 64_000;

/** Joins the pieces of a text into batches, a few milliseconds at a time: there may be any number of them. */
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
