import type { DatabaseSync } from "node:sqlite";
import { transact } from "./sqlite.ts";

/** What is known of the directories of runs under one root, by the directory that they are below. */
export function storedDirectories(db: DatabaseSync, root: string): Map<string, string> {
	const records = db.prepare("SELECT top, below FROM directories WHERE root = ?").all(root);
	return new Map(records.map(({ top, below }) => [String(top), String(below)]));
}

/** Stores what has changed there; an empty text removes it. */
export function storeDirectories(db: DatabaseSync, root: string, changes: ReadonlyMap<string, string>): void {
	if (changes.size === 0) return;
	const put = db.prepare("INSERT OR REPLACE INTO directories (root, top, below) VALUES (?, ?, ?)");
	const drop = db.prepare("DELETE FROM directories WHERE root = ? AND top = ?");
	transact(db, () => {
		for (const [top, below] of changes)
			if (below === "") drop.run(root, top);
			else put.run(root, top, below);
	});
}
