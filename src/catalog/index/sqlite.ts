import type { DatabaseSync } from "node:sqlite";
import { attempt } from "../../shared/attempt.ts";

/** SQLite errors caused by the machine or other programs, and not by the file: a lock, a full disk, a lost permission. */
const OUTSIDE_CODES = new Set([3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 22, 23]);
/** SQLITE_READONLY_DBMOVED: the file was removed or replaced while it was open. */
const MOVED = 1032;

/** The index contains something that this program cannot have written, though SQLite accepts it. */
export class IndexDamage extends Error {}

/** Whether SQLite reported the error: a full disk, a lock held for too long, damage. */
export function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
	return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/**
 * Whether the error means that the index can no longer be used, so that a new one is needed: what SQLite finds
 * damaged, unreadable or of another shape, what Node cannot read as a number, and what cannot be parsed.
 */
export function isDamage(error: unknown): boolean {
	if (error instanceof IndexDamage) return true;
	if (isSqliteError(error)) return error.errcode === MOVED || !OUTSIDE_CODES.has(error.errcode & 0xff);
	return error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE";
}

/** Whether the index cannot be used now, and need not be replaced: another program holds it, or the disk is full. */
export function isUnusable(error: unknown): error is Error {
	return isSqliteError(error) && !isDamage(error);
}

/** Whether another program holds the index (SQLITE_BUSY). */
export function isBusy(error: unknown): boolean {
	return isSqliteError(error) && (error.errcode & 0xff) === 5;
}

/** What SQLite says, for a person: "database is locked" does not say by whom. */
export function sqliteReason(error: Error): string {
	return isBusy(error) ? "another program has locked it; see which one with fuser or lsof" : error.message;
}

/** Runs the action in its own transaction, which is rolled back if it throws. */
export function transact(db: DatabaseSync, action: () => void): void {
	db.exec("BEGIN IMMEDIATE");
	try {
		action();
		db.exec("COMMIT");
	} catch (error) {
		// Fails after some failures, such as a full disk, after which SQLite has already rolled back. The first error is the one to report.
		attempt(() => db.exec("ROLLBACK"));
		throw error;
	}
}
