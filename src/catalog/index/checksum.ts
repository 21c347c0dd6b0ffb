/** A field of a record: text, a number, bytes, or nothing. */
type Field = string | number | Uint8Array | null;

/** FNV-1a: a field that differs in one character has another sum, and any others by a chance of one in four billion. */
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const SEPARATOR = 0x7c;

/** For the bits of a number. */
const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

/**
 * A checksum of fields of a record, stored with them: SQLite notices damage to its own structure, not to its content. The fields
 * are short and there are thousands of them, so that `crc32` of node:zlib takes several times as long: for each call, for the
 * text as UTF-8, and for loading zlib.
 */
export function checksum(...fields: readonly Field[]): number {
	return withFields(FNV_START ^ fields.length, fields) >>> 0;
}

function withFields(before: number, fields: readonly Field[]): number {
	let sum = before;
	for (const field of fields) {
		sum = Math.imul(sum ^ SEPARATOR, FNV_PRIME);
		if (typeof field === "string") {
			for (let at = 0; at < field.length; at++) sum = Math.imul(sum ^ field.charCodeAt(at), FNV_PRIME);
		} else if (typeof field === "number") {
			double[0] = field;
			for (const half of halves) sum = Math.imul(sum ^ half, FNV_PRIME);
		} else if (field !== null) sum = withBytes(sum, field);
	}
	return sum;
}

/** Four bytes at a time: the words that a person has said in thousands of sessions are a million bytes. */
function withBytes(before: number, bytes: Uint8Array): number {
	let sum = before;
	const fours = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	const end = bytes.length - (bytes.length % 4);
	for (let at = 0; at < end; at += 4) sum = Math.imul(sum ^ fours.getInt32(at, true), FNV_PRIME);
	for (let at = end; at < bytes.length; at++) sum = Math.imul(sum ^ fours.getUint8(at), FNV_PRIME);
	return sum;
}
