import { type Catalog, openCatalog } from "./catalog.ts";
import { collectRows, type ListOptions, untilAborted } from "./list-all.ts";
import type { CatalogStats } from "./numbers/aggregate-stats.ts";
import { findPlaces } from "./places.ts";
import { isAll, unanswerable } from "./query/conditions.ts";
import { parseQuery } from "./query/parse-query.ts";
import type { SessionRow } from "./row.ts";
import { compareResults, type SearchEvent, type SearchResult } from "./search/search.ts";

/** A session in which the query was found, with its row. */
export interface FoundSession extends SearchResult {
	readonly row: SessionRow;
}

/** All that one search of everything finds. */
export interface Findings {
	/** The best first. */
	readonly found: readonly FoundSession[];
	/** All sessions that there are. */
	readonly sessions: readonly SessionRow[];
	/** How many of them could be searched. */
	readonly searched: number;
}

export interface SearchAllOptions extends ListOptions {
	/** Is given the storing of the text, which takes long the first time, to say so meanwhile. */
	readonly whileStoring?: ((storing: Promise<void>) => Promise<void>) | undefined;
}

/**
 * Searches everything once, after all text has been stored; the best first. Rejects with a `RangeError` for a query that
 * cannot be read or answered (`is:live`: nothing is watched here), and with the signal's reason when aborted.
 */
export async function searchAll(query: string, options: ListOptions = {}): Promise<FoundSession[]> {
	return [...(await findAll(query, options)).found];
}

/** As `searchAll`, with what the answer is to be measured by. */
export async function findAll(query: string, options: SearchAllOptions = {}): Promise<Findings> {
	const parsed = parseQuery(query);
	if ("error" in parsed) throw new RangeError(parsed.error);
	const mistake = unanswerable(parsed.query);
	if (mistake !== undefined) throw new RangeError(`cannot read the query ${query}: ${mistake}`);
	return withTexts(options, async (catalog, rows) => {
		const { results, searched } = await searchOnce(catalog, query);
		const found = results.sort(compareResults).flatMap((result) => {
			const row = rows.get(result.path);
			// A row is missing when the file has gone in the meantime.
			return row && isAll(row, parsed.query.is) ? [{ ...result, row }] : [];
		});
		return { found, sessions: [...rows.values()], searched };
	});
}

async function searchOnce(catalog: Catalog, query: string): Promise<{ results: SearchResult[]; searched: number }> {
	const results = new Map<string, SearchResult>();
	const done = Promise.withResolvers<number>();
	const listener = (event: SearchEvent): void => {
		if (event.type === "results") for (const result of event.results) results.set(result.path, result);
		else if (event.type === "error") done.reject(new Error(event.message));
		else if (event.phase === "done") done.resolve(event.searched);
	};
	catalog.search(query, listener, { locate: "all" });
	const searched = await done.promise;
	return { results: [...results.values()], searched };
}

/** Adds up all sessions, after all of them have been counted. */
export function statsAll(options: ListOptions = {}): Promise<CatalogStats> {
	return withTexts(options, (catalog, rows) => catalog.stats([...rows.values()]));
}

async function withTexts<Result>(
	options: SearchAllOptions,
	use: (catalog: Catalog, rows: ReadonlyMap<string, SessionRow>) => Promise<Result>,
): Promise<Result> {
	const { sessionDir, signal, env, cwd, home, cacheDir, whileStoring = (storing) => storing } = options;
	signal?.throwIfAborted();
	const places = await findPlaces({ sessionDirFlag: sessionDir, env, cwd, home });
	const catalog = openCatalog({ places, cacheDir, watch: false });
	try {
		const rows = collectRows(catalog, options);
		await untilAborted(whileStoring(catalog.searchable()), signal);
		return await untilAborted(use(catalog, rows), signal);
	} finally {
		await catalog.close();
	}
}
