import type { DatabaseSync } from "node:sqlite";
import { check, checksum } from "./checksum.ts";
import { transact } from "./sqlite.ts";

/** What is known of the directories of runs under one root, by the directory that they are below. Throws an `IndexDamage`. */
export function storedDirectories(db: DatabaseSync, root: string): Map<string, string> {
	const records = db.prepare("SELECT top, below, below_check FROM directories WHERE root = ?").all(root);
	return new Map(
		records.map(({ top, below, below_check }) => {
			check(below_check, root, top, below);
			return [String(top), String(below)];
		}),
	);
}

/** Stores what has changed there; an empty text removes it. */
export function storeDirectories(db: DatabaseSync, root: string, changes: ReadonlyMap<string, string>): void {
	if (changes.size === 0) return;
	const put = db.prepare("INSERT OR REPLACE INTO directories (root, top, below, below_check) VALUES (?, ?, ?, ?)");
	const drop = db.prepare("DELETE FROM directories WHERE root = ? AND top = ?");
	transact(db, () => {
		for (const [top, below] of changes)
			if (below === "") drop.run(root, top);
			else put.run(root, top, below, checksum(root, top, below));
	});
}
