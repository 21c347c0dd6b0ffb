/** Sentences that are stored of each kind; the rest are counted, so that a huge bad file costs no memory. */
const MOST_TOLD = 200;

/** Sentences about lines of a file, the first ones, and how many there are in all. */
export interface Told {
	readonly sentences: readonly string[];
	readonly total: number;
}

/** Collects such sentences by their line. */
export class ToldList {
	readonly #told: { readonly line: number; readonly sentence: string }[] = [];
	#total = 0;

	/** `line`: 1-based; 0: it is about the whole session. */
	add(line: number, sentence: string): void {
		this.#total += 1;
		if (this.#told.length < MOST_TOLD) this.#told.push({ line, sentence });
	}

	/** So many more, of which only the number is known. */
	addMore(count: number): void {
		this.#total += count;
	}

	get told(): Told {
		const sorted = this.#told.toSorted((a, b) => a.line - b.line);
		return { sentences: sorted.map(({ sentence }) => sentence), total: this.#total };
	}
}
