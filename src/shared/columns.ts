type Column = Uint8Array | Int32Array | Float64Array;

/** A column of numbers with room for `count`: the same one, or a copy of twice the length needed now. */
export function widen<One extends Column>(column: One, count: number): One {
	if (count <= column.length) return column;
	// A typed array's constructor creates arrays of the same type.
	const next = new (column.constructor as new (length: number) => One)(count * 2);
	next.set(column);
	return next;
}

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
