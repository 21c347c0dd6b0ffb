/** The bytes of a line in its file, without its `\n`. */
export interface Span {
	readonly offset: number;
	readonly length: number;
}

/** Finds the bytes that an entry was read from. */
export interface Spans {
	get(entry: object): Span | undefined;
}

/**
 * The spans of the entries of one file. Stored as plain numbers and indexed only when something is copied: a map of a
 * hundred thousand entries, especially a weak one, slows down every garbage collection.
 */
export class ByteSpans implements Spans {
	readonly #entries: readonly object[];
	readonly #offsets: number[] = [];
	readonly #lengths: number[] = [];
	#indexes: Map<object, number> | undefined;

	/** `entries`: in file order; the array may grow while their spans are added. */
	constructor(entries: readonly object[]) {
		this.#entries = entries;
	}

	/** Adds the span of the next entry. */
	add(offset: number, length: number): void {
		this.#offsets.push(offset);
		this.#lengths.push(length);
	}

	get(entry: object): Span | undefined {
		this.#indexes ??= new Map(this.#entries.map((known, index) => [known, index]));
		const index = this.#indexes.get(entry);
		const offset = index === undefined ? undefined : this.#offsets[index];
		const length = index === undefined ? undefined : this.#lengths[index];
		return offset === undefined || length === undefined ? undefined : { offset, length };
	}
}
