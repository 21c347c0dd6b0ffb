/** Where a line stands in its file, in bytes, without its `\n`. */
export interface Span {
	readonly offset: number;
	readonly length: number;
}

/** Where entries were read. */
export interface Spans {
	get(entry: object): Span | undefined;
}

/**
 * The places of the entries of one file. Kept as plain numbers, and looked up only when something is copied: a map of
 * a hundred thousand entries, weak ones above all, makes every garbage collection wait.
 */
export class ByteSpans implements Spans {
	readonly #entries: readonly object[];
	readonly #offsets: number[] = [];
	readonly #lengths: number[] = [];
	#indexes: Map<object, number> | undefined;

	/** `entries`: in file order; it may grow while their places are added. */
	constructor(entries: readonly object[]) {
		this.#entries = entries;
	}

	/** Adds the place of the next entry. */
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
