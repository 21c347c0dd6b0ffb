import { allIndexes } from "../../../shared/columns.ts";

/** A sort key. */
export type Key = number | string;

/** Fewer keys than this are sorted by comparison. */
const FEW = 2000;
/** Up to this many different texts are replaced by their ranks, and sorted as numbers. */
const FEW_TEXTS = 4000;
const DIGIT_BITS = 16;

/**
 * The indexes of keys (without NaN and -0) in order: smallest first, texts from a to z, empty texts last. Stable. Many
 * numbers are sorted by a radix sort, which takes a fifth of the time.
 */
export function orderBy(keys: readonly Key[] | Float64Array): Uint32Array {
	if (keys.length < FEW) return compared(keys);
	if (keys instanceof Float64Array) return orderOf(keys);
	const ranks = keys.every((key) => typeof key === "number") ? undefined : ranksOf(keys);
	const numbers = new Float64Array(keys.length);
	for (let at = 0; at < keys.length; at++) {
		const key = keys[at] ?? 0;
		const number = typeof key === "number" ? key : ranks?.get(key);
		if (number === undefined) return compared(keys);
		numbers[at] = number;
	}
	return orderOf(numbers);
}

function compared(keys: ArrayLike<Key>): Uint32Array {
	return allIndexes(keys.length).sort((a, b) => compareKeys(keys[a] ?? 0, keys[b] ?? 0) || a - b);
}

/** The smaller key first, texts from a to z, empty texts last. */
export function compareKeys(one: Key, other: Key): number {
	if (typeof one === "number" && typeof other === "number") return one - other;
	if (one === "" || other === "") return Number(one === "") - Number(other === "");
	return one < other ? -1 : one > other ? 1 : 0;
}

/** By UTF-16 units, which takes a tenth of the time of a locale's rules. */
export function compareText(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

/** The rank of each key; undefined if there are too many. */
function ranksOf(keys: readonly Key[]): ReadonlyMap<Key, number> | undefined {
	const different = new Set<Key>();
	for (const key of keys) if (different.add(key).size > FEW_TEXTS) return undefined;
	return new Map([...different].sort(compareKeys).map((key, rank) => [key, rank]));
}

/** The indexes of numbers in order, by a radix sort. */
function orderOf(numbers: Float64Array): Uint32Array {
	let order: Uint32Array = allIndexes(numbers.length);
	let next: Uint32Array = new Uint32Array(numbers.length);
	const starts = new Uint32Array(2 ** DIGIT_BITS + 1);
	for (const digit of sortableDigits(numbers)) {
		starts.fill(0);
		for (let at = 0; at < digit.length; at++) {
			const value = (digit[at] as number) + 1;
			starts[value] = (starts[value] as number) + 1;
		}
		// All have the same digit.
		if (starts[(digit[0] ?? 0) + 1] === digit.length) continue;
		for (let value = 1; value < starts.length; value++)
			starts[value] = (starts[value] as number) + (starts[value - 1] as number);
		for (let at = 0; at < order.length; at++) {
			const index = order[at] as number;
			const value = digit[index] as number;
			const place = starts[value] as number;
			next[place] = index;
			starts[value] = place + 1;
		}
		[order, next] = [next, order];
	}
	return order;
}

/** The digits of numbers, lowest first, with bits flipped so that they sort like the numbers: all of negative ones, else the sign. */
function sortableDigits(numbers: Float64Array): readonly Uint16Array[] {
	// Every system that Node runs on is little-endian.
	const words = new Uint16Array(numbers.buffer);
	return Array.from({ length: 4 }, (_, digit) => {
		const column = new Uint16Array(numbers.length);
		const sign = digit === 3 ? 0x8000 : 0;
		for (let at = 0; at < numbers.length; at++) {
			const word = words[4 * at + digit] as number;
			column[at] = (numbers[at] as number) < 0 ? ~word : word ^ sign;
		}
		return column;
	});
}
