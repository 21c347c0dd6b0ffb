/** What something is ordered by. */
export type Key = number | string;

/** Fewer than this are compared with each other. */
const FEW = 2000;
/** So many different texts are counted through like numbers. */
const FEW_TEXTS = 4000;
/** Bits of a number that are looked at together. */
const DIGIT = 16;

/**
 * Sorted by a key, a number or a text (not NaN, and one zero): the smallest first, texts from a to z, what has no text last;
 * where keys are the same, as before. Many numbers are not compared: they are dealt out by their bits (a radix sort), which takes
 * a fifth of the time.
 */
export function sortedBy<Item>(items: readonly Item[], keyOf: (item: Item) => Key): readonly Item[] {
	if (items.length < FEW) return items.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));
	const numbers = new Float64Array(items.length);
	let ranks: ReadonlyMap<Key, number> | undefined;
	for (let at = 0; at < items.length; at++) {
		const key = keyOf(items[at] as Item);
		if (typeof key !== "number") ranks ??= ranksOf(items, keyOf);
		if (typeof key !== "number" && ranks === undefined)
			return items.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b)));
		numbers[at] = typeof key === "number" ? key : (ranks?.get(key) ?? 0);
	}
	return Array.from(orderOf(numbers), (index) => items[index] as Item);
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

/** Where each text stands among all; undefined where there are many of them. */
function ranksOf<Item>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, number> | undefined {
	const keys = new Set<Key>();
	for (const item of items) if (keys.add(keyOf(item)).size > FEW_TEXTS) return undefined;
	return new Map([...keys].sort(compareKeys).map((key, rank) => [key, rank]));
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
