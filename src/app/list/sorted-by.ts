/** What something is ordered by. */
export type Key = number | string;

/** Fewer than this are compared with each other. */
const FEW = 2000;
/** So many different texts are counted through like numbers. */
const FEW_TEXTS = 4000;
/** Bits of a number that are looked at together. */
const DIGIT = 16;

/**
 * The indexes of keys in their order (no NaN, and one zero): the smallest first, texts from a to z, what has no text last; where
 * they are the same, as they are. Many numbers are not compared: they are dealt out by their bits (a radix sort), which takes a
 * fifth of the time.
 */
export function orderBy(keys: readonly Key[]): Uint32Array {
	const compared = (): Uint32Array =>
		Uint32Array.from(keys, (_, at) => at).sort((a, b) => compareKeys(keys[a] ?? 0, keys[b] ?? 0) || a - b);
	if (keys.length < FEW) return compared();
	if (keys.every((key) => typeof key === "number")) return orderOf(Float64Array.from(keys));
	const ranks = ranksOf(keys);
	return ranks === undefined ? compared() : orderOf(Float64Array.from(keys, (key) => ranks.get(key) ?? 0));
}

/** The smaller key first, texts from a to z; what has no text comes last. */
export function compareKeys(one: Key, other: Key): number {
	if (typeof one === "number" && typeof other === "number") return one - other;
	if (one === "" || other === "") return Number(one === "") - Number(other === "");
	return one < other ? -1 : one > other ? 1 : 0;
}

/** By the order of code points, which takes a tenth of the time that the rules of a language take. */
export function compareText(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

/** Where each key stands among all; undefined where there are many of them. */
function ranksOf(keys: readonly Key[]): ReadonlyMap<Key, number> | undefined {
	const different = new Set<Key>();
	for (const key of keys) if (different.add(key).size > FEW_TEXTS) return undefined;
	return new Map([...different].sort(compareKeys).map((key, rank) => [key, rank]));
}

/** The indexes of numbers in the order of these. */
function orderOf(numbers: Float64Array): Uint32Array {
	const { length } = numbers;
	const digits = sortableDigits(numbers);
	let order = Uint32Array.from({ length }, (_, index) => index);
	let next = new Uint32Array(length);
	const starts = new Uint32Array(2 ** DIGIT + 1);
	for (const digit of digits) {
		if (digit.every((value) => value === digit[0])) continue;
		starts.fill(0);
		for (const value of digit) starts[value + 1] = (starts[value + 1] ?? 0) + 1;
		for (let value = 1; value < starts.length; value++) starts[value] = (starts[value] ?? 0) + (starts[value - 1] ?? 0);
		for (const index of order) {
			const value = digit[index] ?? 0;
			const place = starts[value] ?? 0;
			next[place] = index;
			starts[value] = place + 1;
		}
		[order, next] = [next, order];
	}
	return order;
}

/** The bits of numbers, the lowest digits first, changed so that they have the order of the numbers: of negative ones all are turned. */
function sortableDigits(numbers: Float64Array): readonly Uint16Array[] {
	const words = new Uint16Array(numbers.buffer);
	const digits = Array.from({ length: 4 }, () => new Uint16Array(numbers.length));
	for (let at = 0; at < numbers.length; at++) {
		const isNegative = (numbers[at] ?? 0) < 0;
		for (let digit = 0; digit < 4; digit++) {
			// Every system that Node runs on has the lowest bytes of a number first.
			const word = words[4 * at + digit] ?? 0;
			const turned = isNegative ? ~word : digit === 3 ? word ^ 0x8000 : word;
			(digits[digit] as Uint16Array)[at] = turned;
		}
	}
	return digits;
}
