import { setTimeout as delay } from "node:timers/promises";

/** The pause is this many times as long as the last run. */
const REST_FACTOR = 3;

/**
 * Rate-limits work that may be requested all the time: when `gently`, it pauses three times as long as the last run took
 * before it runs again, so that other work gets most of the time.
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
