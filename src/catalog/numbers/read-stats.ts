import { openExistingIndex } from "../index/open-index.ts";
import type { SessionRow } from "../row.ts";
import { aggregateStats, type CatalogStats } from "./aggregate-stats.ts";
import type { SessionStats } from "./session-stats.ts";

/** Adds up what the index has stored about the sessions of these rows. */
export async function readStats(indexDir: string, place: string, rows: readonly SessionRow[]): Promise<CatalogStats> {
	const stored = new Map<string, SessionStats>();
	const db = await openExistingIndex(indexDir);
	try {
		const sql = "SELECT path, stats FROM session WHERE place = ? AND stats IS NOT NULL";
		for (const record of db?.prepare(sql).iterate(place) ?? []) {
			// Written by the text table.
			stored.set(String(record.path), JSON.parse(String(record.stats)) as SessionStats);
		}
	} finally {
		db?.close();
	}
	return aggregateStats(rows.map((row) => ({ row, stats: stored.get(row.path) })));
}
