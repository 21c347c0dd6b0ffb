/**
 * Long work in small steps: a generator that yields every now and then can be run to its end at once, or one time slice
 * after the other (`TimeSlice`).
 */
export type Steps<Result> = Generator<void, Result, undefined>;

/** A loop over entries yields once for this many of them. */
export const ENTRIES_PER_STEP = 256;

/** Runs all steps at once, for callers that may block their thread. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}
