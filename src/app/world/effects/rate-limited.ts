import { setTimeout as delay } from "node:timers/promises";

/** How much longer than the last run the rest takes. */
const REST_FACTOR = 3;

/**
 * Rate-limits work that may be asked for all the time: when `gently`, it rests three times as long as the last run took before
 * it runs again, so that what it takes its time from gets most of it.
 */
export function createRateLimited<Input, Result>(
	work: (input: Input) => Promise<Result>,
): (input: Input, gently: boolean) => Promise<Result> {
	let freeAt = 0;
	return async (input, gently) => {
		const wait = freeAt - performance.now();
		if (gently && wait > 0) await delay(wait, undefined, { ref: false });
		const began = performance.now();
		try {
			return await work(input);
		} finally {
			const ended = performance.now();
			freeAt = ended + (ended - began) * REST_FACTOR;
		}
	};
}
