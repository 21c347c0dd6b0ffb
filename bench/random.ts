/** A seeded source of numbers (mulberry32), so that the same seed always makes the same corpus. */
export interface Random {
	/** Next number, at least 0 and less than 1. */
	next(): number;
	/** Next integer from `low` up to, but not including, `high`. */
	int(low: number, high: number): number;
	/** One of the items. Throws when there are none. */
	pick<T>(items: readonly T[]): T;
	/** Lower-case hexadecimal digits. */
	hex(digits: number): string;
}

export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
	const int = (low: number, high: number) => low + Math.floor(next() * (high - low));
	return {
		next,
		int,
		pick: (items) => {
			const item = items[int(0, items.length)];
			if (item === undefined) throw new Error("pick from an empty list");
			return item;
		},
		hex: (digits) => Array.from({ length: digits }, () => int(0, 16).toString(16)).join(""),
	};
}
