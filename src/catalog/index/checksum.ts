import { crc32 } from "node:zlib";
import { IndexDamage } from "./sqlite-error.ts";

/** A part of a record: text, bytes, or nothing. */
type Part = string | Uint8Array | null;

/** A checksum of parts of a record, stored with them: SQLite notices damage to its own structure, not to what is in it. */
export function checksum(...parts: readonly Part[]): number {
	let sum = parts.length;
	for (const part of parts) sum = crc32(part ?? "", crc32("|", sum));
	return sum;
}

/** Throws an `IndexDamage` when parts of a record are not what was stored. */
export function check(stored: unknown, ...parts: readonly unknown[]): void {
	const isWhole = parts.every((part) => part === null || typeof part === "string" || part instanceof Uint8Array);
	// Checked by the line before.
	if (!isWhole || stored !== checksum(...(parts as Part[]))) throw new IndexDamage("a row of the index is damaged");
}
