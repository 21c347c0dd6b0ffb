import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import { collectRows, type ListOptions } from "../catalog/list-all.ts";
import { findPlaces } from "../catalog/places.ts";
import type { SessionRow } from "../catalog/row.ts";
import { isAll } from "../catalog/search/conditions.ts";
import type { Query } from "../catalog/search/query.ts";
import { compareResults, type SearchEvent, type SearchResult } from "../catalog/search/search.ts";
import { whileWaiting } from "./waiting.ts";

/** A session in which a query was found. */
export interface Found {
	readonly row: SessionRow;
	readonly result: SearchResult;
}

export interface Findings {
	/** How many sessions were found, before any limit. */
	readonly total: number;
	/** All sessions that there are. */
	readonly sessions: readonly SessionRow[];
	/** How many of them could not be searched. */
	readonly unsearched: number;
	/** The best first. */
	readonly found: readonly Found[];
}

export interface FindOptions extends ListOptions {
	/** The query as typed. */
	readonly text: string;
	/** The same, read. */
	readonly query: Query;
	/** Give so many at most. @default all */
	readonly limit?: number | undefined;
}

/**
 * Searches everything once, after the text of all sessions has been stored, and hands the results to `use`; the catalog
 * is open until then.
 */
export async function findSessions<Result>(
	options: FindOptions,
	use: (findings: Findings) => Promise<Result>,
): Promise<Result> {
	const { text, query, limit, sessionDir, env, cwd, home, cacheDir } = options;
	const places = await findPlaces({ sessionDirFlag: sessionDir, env, cwd, home });
	const catalog = openCatalog({ places, cacheDir, watch: false });
	try {
		const rows = collectRows(catalog, options);
		await whileWaiting(catalog.searchable());
		const { results, searched } = await searchOnce(catalog, text);
		const all = results.sort(compareResults).flatMap((result) => {
			const row = rows.get(result.path);
			// A row is missing when the file has gone in the meantime.
			return row && isAll(row, query.is) ? [{ row, result }] : [];
		});
		return await use({
			total: all.length,
			sessions: [...rows.values()],
			unsearched: Math.max(0, rows.size - searched),
			found: all.slice(0, limit),
		});
	} finally {
		await catalog.close();
	}
}

async function searchOnce(catalog: Catalog, text: string): Promise<{ results: SearchResult[]; searched: number }> {
	const results = new Map<string, SearchResult>();
	const searched = await new Promise<number>((resolve, reject) => {
		const listener = (event: SearchEvent): void => {
			if (event.type === "results") for (const result of event.results) results.set(result.path, result);
			else if (event.type === "error") reject(new Error(event.message));
			else if (event.phase === "done") resolve(event.searched);
		};
		catalog.search(text, listener, { locate: "all" });
	});
	return { results: [...results.values()], searched };
}
