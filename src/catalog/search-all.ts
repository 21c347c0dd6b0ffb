import { openCatalog } from "./catalog.ts";
import { collectRows, type ListOptions, untilAborted } from "./list-all.ts";
import { findPlaces } from "./places.ts";
import type { SessionRow } from "./row.ts";
import { isAll, unanswerable } from "./search/conditions.ts";
import { parseQuery } from "./search/query.ts";
import { compareResults, type SearchEvent, type SearchResult } from "./search/search.ts";
import type { CatalogStats } from "./stats.ts";

/** A session in which the query was found, with its row. */
export interface FoundSession extends SearchResult {
	readonly row: SessionRow;
}

/**
 * Searches everything once, after all text has been stored; the best first. Rejects with a `RangeError` for a query that
 * cannot be read or answered (`is:live`: nothing is watched here), and with the signal's reason when aborted.
 */
export async function searchAll(query: string, options: ListOptions = {}): Promise<FoundSession[]> {
	const parsed = parseQuery(query);
	if ("error" in parsed) throw new RangeError(parsed.error);
	const mistake = unanswerable(parsed.query);
	if (mistake !== undefined) throw new RangeError(`cannot read the query ${query}: ${mistake}`);
	return withTexts(options, async (catalog, rows) => {
		const results = new Map<string, SearchResult>();
		const done = Promise.withResolvers<void>();
		const listener = (event: SearchEvent): void => {
			if (event.type === "results") for (const result of event.results) results.set(result.path, result);
			else if (event.type === "error") done.reject(new Error(event.message));
			else if (event.phase === "done") done.resolve();
		};
		catalog.search(query, listener, { locate: "all" });
		await done.promise;
		return [...results.values()].sort(compareResults).flatMap((result) => {
			const row = rows.get(result.path);
			// A row is missing when the file has gone in the meantime.
			return row && isAll(row, parsed.query.is) ? [{ ...result, row }] : [];
		});
	});
}

/** Adds up all sessions, after all of them have been counted. */
export function statsAll(options: ListOptions = {}): Promise<CatalogStats> {
	return withTexts(options, (catalog, rows) => catalog.stats([...rows.values()]));
}

async function withTexts<Result>(
	options: ListOptions,
	use: (catalog: ReturnType<typeof openCatalog>, rows: ReadonlyMap<string, SessionRow>) => Promise<Result>,
): Promise<Result> {
	const { sessionDir, signal, env, cwd, home, cacheDir } = options;
	signal?.throwIfAborted();
	const places = await findPlaces({ sessionDirFlag: sessionDir, env, cwd, home });
	const catalog = openCatalog({ places, cacheDir, watch: false });
	try {
		const rows = collectRows(catalog, options);
		await untilAborted(catalog.searchable(), signal);
		return await untilAborted(use(catalog, rows), signal);
	} finally {
		await catalog.close();
	}
}
