import { stat } from "node:fs/promises";
import { indexPath, openExistingIndex } from "../index/open-index.ts";
import { lastChange, rowsSince } from "../index/session-table.ts";

/** Identifies the index and its last change; "" without an index. */
export async function indexStamp(cacheDir: string): Promise<string> {
	const file = await indexFile(cacheDir);
	const db = await openExistingIndex(cacheDir);
	try {
		return db === undefined || file === undefined ? "" : `${file}:${lastChange(db)}`;
	} finally {
		db?.close();
	}
}

async function indexFile(cacheDir: string): Promise<string | undefined> {
	try {
		const { dev, ino } = await stat(indexPath(cacheDir));
		return `${dev}-${ino}`;
	} catch {
		// Without an index everything is sent.
		return undefined;
	}
}

/** Paths of the rows below `root` in the index that were the same at an earlier stamp. */
export async function unchangedSince(stamp: string, cacheDir: string, root: string): Promise<Set<string>> {
	const [, file, change = ""] = /^(.*):(\d{1,15})$/.exec(stamp) ?? [];
	const db = file === (await indexFile(cacheDir)) ? await openExistingIndex(cacheDir) : undefined;
	if (db === undefined) return new Set();
	try {
		const all = new Set(rowsSince(db, root, -1).map(({ path }) => path));
		return all.difference(new Set(rowsSince(db, root, Number(change)).map(({ path }) => path)));
	} catch {
		// Damaged: the catalog reports that, and everything is sent.
		return new Set();
	} finally {
		db.close();
	}
}
