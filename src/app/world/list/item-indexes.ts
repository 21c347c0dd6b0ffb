import { keyOf, type ListItem } from "./headings.ts";

/** After so many different keys one is no longer looked for among all rows. */
const FEW = 8;

/**
 * Where rows of the list are, by what they are known by. A key in the list asks for one or two; a map of all takes several
 * frames to be made where there are a hundred thousand, so it is only made for many questions.
 */
export class ItemIndexes {
	readonly #items: readonly ListItem[];
	readonly #asked = new Map<string, number | undefined>();
	#all: ReadonlyMap<string, number> | undefined;

	constructor(items: readonly ListItem[]) {
		this.#items = items;
	}

	/** `near`: where it may well be, which is looked at first. */
	get(key: string, near = 0): number | undefined {
		const item = this.#items[near];
		if (item !== undefined && keyOf(item) === key) return near;
		if (this.#all !== undefined) return this.#all.get(key);
		if (this.#asked.has(key)) return this.#asked.get(key);
		if (this.#asked.size < FEW) {
			const index = this.#items.findIndex((item) => keyOf(item) === key);
			this.#asked.set(key, index === -1 ? undefined : index);
			return this.#asked.get(key);
		}
		const all = new Map<string, number>();
		for (let index = this.#items.length - 1; index >= 0; index--) all.set(keyOf(this.#items[index] as ListItem), index);
		this.#all = all;
		return all.get(key);
	}

	has(key: string): boolean {
		return this.get(key) !== undefined;
	}
}
