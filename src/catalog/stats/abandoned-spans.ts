import type { DatabaseSync } from "node:sqlite";
import type { ByteSpan } from "../branches/branch-tracker.ts";
import { NUMBERS, numbersOf } from "./numbers-table.ts";

/**
 * Looks up the byte spans of a session file whose entries are not on the path from the root to the leaf, ascending.
 * Undefined when the file was not counted at this `size`. A last line without `\n` is in none of
 * them. Throws an `IndexDamage`.
 */
export type AbandonedSpans = (path: string, size: number) => readonly ByteSpan[] | undefined;

/** Prepares the lookup in an index, for the sessions under one root. */
export function abandonedSpans(db: DatabaseSync, root: string): AbandonedSpans {
	const sql = `SELECT ${NUMBERS} FROM session
		WHERE root = ? AND path = ? AND counted_size = ? AND numbers IS NOT NULL`;
	const statement = db.prepare(sql);
	return (path, size) => {
		const record = statement.get(root, path, size);
		return record && numbersOf(record).numbers.abandoned.spans;
	};
}
