/** Runs pieces of work one after the other, in the order in which they were given. */
export interface InTurn {
	/** Resolves or rejects as the work does, which starts when all that was given before has ended. */
	run<Result>(work: () => Promise<Result>): Promise<Result>;
	/** Resolves when all that was given so far has ended. */
	idle(): Promise<void>;
}

export function createInTurn(): InTurn {
	let last: Promise<unknown> = Promise.resolve();
	return {
		run(work) {
			const mine = last.then(work);
			// Whoever gave the work hears of its failure.
			last = mine.catch(() => undefined);
			return mine;
		},
		async idle() {
			await last;
		},
	};
}
