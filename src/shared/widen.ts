/** A column of numbers with room for `count` of them: the same one, or a copy that is twice as long as is needed now. */
export function widen<Column extends Uint8Array | Int32Array | Float64Array>(column: Column, count: number): Column {
	if (count <= column.length) return column;
	// The constructor of a typed array makes arrays of its own type.
	const next = new (column.constructor as new (length: number) => Column)(count * 2);
	next.set(column);
	return next;
}
