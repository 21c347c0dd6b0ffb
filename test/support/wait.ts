/** Something whose state can be read at any time, and that says when it may have changed. */
export interface Observed<State> {
	/** Called with each listener for a change; returns an unsubscribe function. */
	readonly subscribe: (listener: () => void) => () => void;
	readonly state: () => State;
	/** The state as a failed wait shows it; default: as JSON. */
	readonly describe?: (state: State) => string;
}

/** Longer than anything takes on a busy machine; only a failing test waits that long. */
const LIMIT_MS = 60_000;

/**
 * Resolves with the state as soon as the condition holds: at once, or after a change. Rejects after a while with what was
 * waited for and the last state, and at once when the condition throws.
 */
export function until<State>(
	what: string,
	{ subscribe, state, describe = JSON.stringify }: Observed<State>,
	condition: (state: State) => boolean,
	limitMs = LIMIT_MS,
): Promise<State> {
	const { promise, resolve, reject } = Promise.withResolvers<State>();
	const fail = (reason: string): void => {
		stop();
		reject(new Error(`Waited for ${what}, but ${reason}. The last state:\n${describe(state())}`));
	};
	const check = (): void => {
		const now = state();
		try {
			if (!condition(now)) return;
			stop();
			resolve(now);
		} catch (error) {
			fail(error instanceof Error ? error.message : String(error));
		}
	};
	const unsubscribe = subscribe(check);
	const timer = setTimeout(() => fail(`${limitMs} ms passed`), limitMs);
	const stop = (): void => {
		clearTimeout(timer);
		unsubscribe();
	};
	check();
	return promise;
}

/** The listeners of something that a test observes. */
export class Changes {
	readonly #listeners = new Set<() => void>();

	readonly subscribe = (listener: () => void): (() => void) => {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	};

	readonly notify = (): void => {
		for (const listener of [...this.#listeners]) listener();
	};
}
