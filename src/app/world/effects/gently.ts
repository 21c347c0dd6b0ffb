import { setTimeout as delay } from "node:timers/promises";

/** How much longer than the work it waits before it is done again. */
const REST_FACTOR = 3;

/**
 * The same work, which may be asked for all the time: where it is to be done `gently`, it first waits so long after the last
 * time that what it takes its time from gets most of it.
 */
export function createGently<Input, Result>(
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
