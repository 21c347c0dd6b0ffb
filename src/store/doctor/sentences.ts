/** Sentences that are stored; further ones are only counted, so that a huge bad file costs no memory. */
const MAX_STORED = 200;

/** Sentences about lines of a file: the first ones, and the total. */
export interface Sentences {
	readonly sentences: readonly string[];
	readonly total: number;
}

/** Collects sentences by line. */
export class SentenceList {
	readonly #stored: { readonly line: number; readonly sentence: string }[] = [];
	#total = 0;

	/** `line`: 1-based; 0: about the whole session. */
	add(line: number, sentence: string): void {
		this.#total += 1;
		if (this.#stored.length < MAX_STORED) this.#stored.push({ line, sentence });
	}

	/** Counts further sentences without their text. */
	count(count: number): void {
		this.#total += count;
	}

	get all(): Sentences {
		const sorted = this.#stored.toSorted((a, b) => a.line - b.line);
		return { sentences: sorted.map(({ sentence }) => sentence), total: this.#total };
	}
}
