import { stat } from "node:fs/promises";
import { indexPath, openExistingIndex } from "../index/open-index.ts";
import { lastChange, rowsSince } from "../index/session-table.ts";
import type { SessionRow } from "../model/row.ts";

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

/** The rows below `root` in the index that were the same at an earlier stamp, by path. */
export async function unchangedSince(stamp: string, cacheDir: string, root: string): Promise<Map<string, SessionRow>> {
	const [, file, change = ""] = /^(.*):(\d{1,15})$/.exec(stamp) ?? [];
	const db = file === (await indexFile(cacheDir)) ? await openExistingIndex(cacheDir) : undefined;
	if (db === undefined) return new Map();
	try {
		const all = new Map(rowsSince(db, root, -1).map((row) => [row.path, row]));
		for (const { path } of rowsSince(db, root, Number(change))) all.delete(path);
		return all;
	} catch {
		// Damaged: the catalog reports that, and everything is sent.
		return new Map();
	} finally {
		db.close();
	}
}
