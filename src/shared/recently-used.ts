/** A cache of the most recently used values. */
export class RecentlyUsed<Key, Value> {
	readonly #values = new Map<Key, Value>();
	readonly #limit: number;
	readonly #weigh: (key: Key) => number;
	#weight = 0;

	/** `limit`: the largest total weight, by default the number of values. The latest value is kept whatever its weight. */
	constructor(limit: number, weigh: (key: Key) => number = () => 1) {
		this.#limit = limit;
		this.#weigh = weigh;
	}

	has(key: Key): boolean {
		return this.#values.has(key);
	}

	/** Drops a value, so that it is made again when it is needed. */
	forget(key: Key): void {
		if (this.#values.delete(key)) this.#weight -= this.#weigh(key);
	}

	/** The value of a key, made if it is not cached. */
	get(key: Key, make: () => Value): Value {
		const known = this.#values.get(key);
		const value = known ?? make();
		this.forget(key);
		this.#values.set(key, value);
		this.#weight += this.#weigh(key);
		for (const oldest of this.#values.keys()) {
			if (this.#weight <= this.#limit || oldest === key) break;
			this.forget(oldest);
		}
		return value;
	}
}
