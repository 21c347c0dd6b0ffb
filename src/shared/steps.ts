/**
 * Long work in small steps: a generator that yields often, so that it can be run to its end at once, or one time slice at
 * a time (`TimeSlice`).
 */
export type Steps<Result> = Generator<void, Result, undefined>;

/** Loops over entries yield once per this many. */
export const ENTRIES_PER_STEP = 256;

/** Runs all steps at once, for callers that may block their thread. */
export function runToEnd<Result>(steps: Steps<Result>): Result {
	for (;;) {
		const step = steps.next();
		if (step.done) return step.value;
	}
}
