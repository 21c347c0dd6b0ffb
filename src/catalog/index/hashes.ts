import type { DatabaseSync } from "node:sqlite";

/** The hashes in a stored blob (see src/catalog/stats/usage.ts); empty if there is no blob. */
export function hashesFromBlob(blob: unknown): Float64Array {
	if (!(blob instanceof Uint8Array)) return new Float64Array();
	// A copy, because a view of eight-byte numbers must be aligned.
	const bytes = Uint8Array.from(blob);
	return new Float64Array(bytes.buffer, 0, Math.floor(bytes.length / Float64Array.BYTES_PER_ELEMENT));
}

/** The hashes as a blob to store; null for none. */
export function hashesToBlob(hashes: Float64Array): Uint8Array | null {
	if (hashes.length === 0) return null;
	return new Uint8Array(hashes.buffer, hashes.byteOffset, hashes.byteLength);
}

/**
 * Drops the numbers of sessions, so that they are counted again from the start; within a transaction. They keep what they
 * count until then, unless `disowned`.
 */
export function forgetNumbers(db: DatabaseSync, ids: readonly number[], disowned = false): void {
	const clause = disowned ? ", own = NULL" : "";
	const statement = db.prepare(
		`UPDATE session SET counted_size = -1, numbers = NULL, others = NULL${clause} WHERE id = ?`,
	);
	for (const id of ids) statement.run(id);
}

/**
 * For hashes that no longer count for any session: drops the numbers of the other sessions that contain them, so that
 * one of those takes them over. Returns the ids of those sessions; within a transaction.
 */
export function releaseHashes(db: DatabaseSync, root: string, hashes: readonly Float64Array[]): number[] {
	if (hashes.every((some) => some.length === 0)) return [];
	const released = new Set(hashes.flatMap((some) => [...some]));
	const ids: number[] = [];
	const sql = "SELECT id, others FROM session WHERE root = ? AND others IS NOT NULL";
	for (const { id, others } of db.prepare(sql).iterate(root)) {
		if (hashesFromBlob(others).some((hash) => released.has(hash))) ids.push(Number(id));
	}
	forgetNumbers(db, ids);
	return ids;
}
