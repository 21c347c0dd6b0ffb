/** What a seed decides: the same numbers in the same order on every machine. */
export class Chance {
	#state: number;

	constructor(seed: number) {
		this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
		for (let index = 0; index < 5; index++) this.fraction();
	}

	/** At least 0, less than 1 (mulberry32). */
	fraction(): number {
		this.#state = (this.#state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** A whole number less than `end`, at least 0. */
	below(end: number): number {
		return Math.floor(this.fraction() * end);
	}

	/** True with this probability. */
	is(probability: number): boolean {
		return this.fraction() < probability;
	}

	/** One of a list; throws if there is none. */
	pick<Value>(list: readonly Value[]): Value {
		const [value] = list.slice(this.below(list.length));
		if (value === undefined) throw new Error("nothing to pick from");
		return value;
	}

	/** Some of a list, each at most once, in a random order. */
	some<Value>(list: readonly Value[], count: number): readonly Value[] {
		const rest = [...list];
		const chosen: Value[] = [];
		while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(this.below(rest.length), 1));
		return chosen;
	}

	/** One of a table, by the weights. */
	weighed<Row extends { readonly weight: number }>(table: readonly Row[]): Row {
		let rest = this.fraction() * table.reduce((sum, { weight }) => sum + weight, 0);
		for (const row of table) {
			rest -= row.weight;
			if (rest < 0) return row;
		}
		return this.pick(table);
	}

	/** So many hexadecimal digits. */
	hex(length: number): string {
		return Array.from({ length }, () => this.below(16).toString(16)).join("");
	}
}
