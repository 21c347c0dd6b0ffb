import type { DatabaseSync } from "node:sqlite";

/** Runs the action in its own transaction, which is rolled back when it throws. */
export function transact(db: DatabaseSync, action: () => void): void {
	db.exec("BEGIN IMMEDIATE");
	try {
		action();
	} catch (error) {
		db.exec("ROLLBACK");
		throw error;
	}
	db.exec("COMMIT");
}
