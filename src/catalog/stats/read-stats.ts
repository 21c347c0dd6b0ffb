import { openExistingIndex } from "../index/open-index.ts";
import type { SessionRow } from "../model/row.ts";
import { aggregateStats, type CatalogStats } from "./aggregate-stats.ts";
import { numbersFromJson } from "./numbers-json.ts";
import type { SessionNumbers } from "./session-numbers.ts";

/** Sums what the index has stored about the sessions of these rows. */
export async function readStats(indexDir: string, root: string, rows: readonly SessionRow[]): Promise<CatalogStats> {
	const stored = new Map<string, SessionNumbers>();
	const db = await openExistingIndex(indexDir);
	try {
		// A partially counted file also has numbers, but no counted size.
		const sql = "SELECT path, numbers FROM session WHERE root = ? AND counted_size >= 0";
		for (const { path, numbers } of db?.prepare(sql).iterate(root) ?? []) {
			const read = numbersFromJson(String(numbers));
			if (read) stored.set(String(path), read.numbers);
		}
	} finally {
		db?.close();
	}
	return aggregateStats(rows.map((row) => ({ row, numbers: stored.get(row.path) })));
}
