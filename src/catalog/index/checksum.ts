import { crc32 } from "node:zlib";
import { IndexDamage } from "./sqlite.ts";

/** A field of a record: text, bytes, or nothing. */
type Field = string | Uint8Array | null;

/** A checksum of fields of a record, stored with them: SQLite notices damage to its own structure, not to its content. */
export function checksum(...fields: readonly Field[]): number {
	let sum = fields.length;
	for (const field of fields) sum = crc32(field ?? "", crc32("|", sum));
	return sum;
}

/** Throws an `IndexDamage` if fields of a record are not what was stored. */
export function check(stored: unknown, ...fields: readonly unknown[]): void {
	const isWhole = fields.every((field) => field === null || typeof field === "string" || field instanceof Uint8Array);
	// The types were checked in the line before.
	if (!isWhole || stored !== checksum(...(fields as Field[]))) throw new IndexDamage("a row of the index is damaged");
}
