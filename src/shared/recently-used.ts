/** The values that were used last, by key; the others can be made again. */
export class RecentlyUsed<Key, Value> {
	readonly #values = new Map<Key, Value>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Whether the value of a key is there. */
	has(key: Key): boolean {
		return this.#values.has(key);
	}

	/** Has a value made again. */
	forget(key: Key): void {
		this.#values.delete(key);
	}

	/** The value of a key, made if it is not there any more. */
	get(key: Key, make: () => Value): Value {
		const known = this.#values.get(key);
		const value = known ?? make();
		if (known !== undefined) this.#values.delete(key);
		this.#values.set(key, value);
		if (this.#values.size > this.#limit) for (const oldest of this.#values.keys().take(1)) this.#values.delete(oldest);
		return value;
	}
}
