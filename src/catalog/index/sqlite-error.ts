/** SQLITE_CORRUPT and SQLITE_NOTADB, and what a half-written schema leads to (SQLITE_ERROR: "no such table"). */
const DAMAGE_CODES = new Set([1, 11, 26]);

/** Whether SQLite reported the error: a full disk, a lock held for too long, damage. */
export function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
	return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** Whether the error says that the database's file is damaged. */
export function isDamage(error: unknown): boolean {
	return isSqliteError(error) && DAMAGE_CODES.has(error.errcode & 0xff);
}
