/**
 * Passes over a hundred thousand indexes. These are plain loops because `from`, `map`, `filter` and `for of` on arrays of
 * numbers take at least ten times as long.
 */

/** 0, 1, 2 … */
export function allIndexes(count: number): Uint32Array {
	const indexes = new Uint32Array(count);
	for (let at = 0; at < count; at++) indexes[at] = at;
	return indexes;
}

/** The indexes that pass, in their order. */
export function indexesWhere(indexes: Uint32Array, passes: (index: number) => boolean): Uint32Array {
	const passed = new Uint32Array(indexes.length);
	let count = 0;
	for (let at = 0; at < indexes.length; at++) {
		const index = indexes[at] as number;
		if (passes(index)) passed[count++] = index;
	}
	return passed.subarray(0, count);
}

/** The items at these indexes, which must all exist. */
export function pick<Item>(items: ArrayLike<Item>, indexes: Uint32Array): Item[] {
	const picked = new Array<Item>(indexes.length);
	for (let at = 0; at < indexes.length; at++) picked[at] = items[indexes[at] as number] as Item;
	return picked;
}

/** The numbers at these indexes, which must all exist. */
export function pickNumbers(numbers: ArrayLike<number>, indexes: Uint32Array): Float64Array {
	const picked = new Float64Array(indexes.length);
	for (let at = 0; at < indexes.length; at++) picked[at] = numbers[indexes[at] as number] as number;
	return picked;
}

type Column = Uint8Array | Int32Array | Float64Array;

/** A column of numbers with room for `count`: the same one, or a copy of twice the length needed now. */
export function widen<One extends Column>(column: One, count: number): One {
	if (count <= column.length) return column;
	// A typed array's constructor creates arrays of the same type.
	const next = new (column.constructor as new (length: number) => One)(count * 2);
	next.set(column);
	return next;
}

/** Makes room in several columns of a table. */
export function widenColumns<Name extends string>(
	table: Record<Name, Column>,
	names: readonly Name[],
	count: number,
): void {
	for (const name of names) table[name] = widen(table[name], count);
}

/** The largest of any number of values, at least 0. `Math.max(...values)` fails with very many. */
export function largest(values: Iterable<number>): number {
	let most = 0;
	for (const value of values) if (value > most) most = value;
	return most;
}
