/** Results of a costly pure function by key, the most recently used ones. */
export class RecentResults<Key, Result> {
	readonly #results = new Map<Key, Result>();
	readonly #limit: number;

	/** Holds at most `limit` results. */
	constructor(limit: number) {
		this.#limit = limit;
	}

	/** The result for a key, computed unless it is here. */
	get(key: Key, compute: () => Result): Result {
		const known = this.#results.get(key);
		const result = known === undefined ? compute() : known;
		this.#results.delete(key);
		this.#results.set(key, result);
		for (const oldest of this.#results.keys()) {
			if (this.#results.size <= this.#limit) break;
			this.#results.delete(oldest);
		}
		return result;
	}
}
