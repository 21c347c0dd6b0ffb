import type { DatabaseSync } from "node:sqlite";

/** Runs the action in its own transaction, which is rolled back when it throws. */
export function transact(db: DatabaseSync, action: () => void): void {
	db.exec("BEGIN IMMEDIATE");
	try {
		action();
		db.exec("COMMIT");
	} catch (error) {
		rollBack(db);
		throw error;
	}
}

function rollBack(db: DatabaseSync): void {
	try {
		db.exec("ROLLBACK");
	} catch {
		// After some failures, such as a full disk, SQLite has rolled back already. The first error is the one to report.
	}
}
