/** Longest time without letting messages in, in milliseconds. */
const MAX_BUSY_MS = 8;

/** Lets the event loop have its turn during long work. */
export class Turns {
	#since = performance.now();

	/** Whether it is time to `await take()`. */
	due(): boolean {
		return performance.now() - this.#since >= MAX_BUSY_MS;
	}

	async take(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
		this.#since = performance.now();
	}

	/** Runs steps to their end, with turns in between. */
	async run<Result>(steps: Generator<void, Result, undefined>): Promise<Result>;
	/** The same, unless `stopped` says so after a turn: then the steps are ended, and the result is undefined. */
	async run<Result>(steps: Generator<void, Result, undefined>, stopped: () => boolean): Promise<Result | undefined>;
	async run<Result>(steps: Generator<void, Result | undefined, undefined>, stopped = () => false) {
		for (;;) {
			const step = steps.next();
			if (step.done) return step.value;
			if (!this.due()) continue;
			await this.take();
			if (stopped()) return steps.return(undefined).value;
		}
	}
}
