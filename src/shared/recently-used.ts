/** The values that were used last, by key; the others can be made again. */
export class RecentlyUsed<Key, Value> {
	readonly #values = new Map<Key, Value>();
	readonly #limit: number;
	readonly #weigh: (key: Key) => number;
	#weight = 0;

	/** `limit`: how many are kept, or what they may weigh together; the last one is kept whatever it weighs. */
	constructor(limit: number, weigh: (key: Key) => number = () => 1) {
		this.#limit = limit;
		this.#weigh = weigh;
	}

	/** Whether the value of a key is there. */
	has(key: Key): boolean {
		return this.#values.has(key);
	}

	/** Has a value made again. */
	forget(key: Key): void {
		if (this.#values.delete(key)) this.#weight -= this.#weigh(key);
	}

	/** The value of a key, made if it is not there any more. */
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
