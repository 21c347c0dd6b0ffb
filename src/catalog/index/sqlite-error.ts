/** SQLITE_CORRUPT and SQLITE_NOTADB, and what a half-written schema leads to (SQLITE_ERROR: "no such table"). */
const DAMAGE_CODES = new Set([1, 11, 26]);

/** The index holds something that this program cannot have written, though SQLite does not object. */
export class IndexDamage extends Error {}

/** Whether SQLite reported the error: a full disk, a lock held for too long, damage. */
export function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
	return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** Whether the error says that the index is damaged. */
export function isDamage(error: unknown): boolean {
	if (error instanceof IndexDamage) return true;
	return isSqliteError(error) && DAMAGE_CODES.has(error.errcode & 0xff);
}

/** Whether another program holds the index (SQLITE_BUSY). */
export function isBusy(error: unknown): boolean {
	return isSqliteError(error) && (error.errcode & 0xff) === 5;
}
