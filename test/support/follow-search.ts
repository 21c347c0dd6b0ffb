import type { Catalog } from "../../src/catalog/catalog.ts";
import { parseQuery, type Query } from "../../src/catalog/query/parse-query.ts";
import { compareResults, type SearchEvent, type SearchResult } from "../../src/catalog/search/search.ts";
import { Changes, until } from "./wait.ts";

/** The query that a text is read as; throws where it is not one. */
export function queryOf(text: string): Query {
	const parsed = parseQuery(text);
	if ("error" in parsed) throw new Error(parsed.error);
	return parsed.query;
}

/** The number of the last call of `watchVisible`, of all catalogs: none is taken for that of an earlier search. */
let lastWatch = 0;

/** A search and what it has found so far, followed as a screen follows it that is high enough for all results. */
export function followSearch(catalog: Catalog, text: string) {
	const found = new Map<string, SearchResult>();
	const changes = new Changes();
	let settled: number | undefined;
	let inForms = false;
	let watched = 0;
	const watch = (): void => {
		watched = ++lastWatch;
		// Hits are counted, and the best of them found, in visible sessions only.
		catalog.watchVisible([...found.keys()], watched);
	};
	let mistake: string | undefined;
	watch();
	const stop = catalog.search(queryOf(text), (event: SearchEvent) => {
		const before = found.size;
		if (event.type === "results") for (const result of event.results) found.set(result.path, result);
		else if (event.type === "lost") for (const path of event.paths) found.delete(path);
		else if (event.type === "error") mistake = event.message;
		settled = event.type === "settled" ? event.watched : undefined;
		if (event.type === "settled") inForms = event.inForms;
		if (found.size !== before) watch();
		changes.notify();
	});
	const observed = { subscribe: changes.subscribe, state: () => [...found.values()] };
	return {
		/** By path. */
		found,
		stop,
		/** Resolves when the condition holds, at once or after some event. */
		until: (what: string, condition: () => boolean) => until(what, observed, condition),
		/**
		 * The results as typed, best first, when the search says that nothing more comes for all that it has found. `progress` with
		 * equal numbers says less: ranks may improve after it. Rejects when the search fails.
		 */
		settled: async (): Promise<SearchResult[]> => {
			await until("the search to settle", observed, () => {
				if (mistake !== undefined) throw new Error(mistake);
				return settled === watched;
			});
			return [...found.values()].filter(({ other }) => other === undefined).sort(compareResults(Date.now()));
		},
		/** The sessions that have words only in other forms, best first, when the search for those is over as well. */
		others: async (): Promise<SearchResult[]> => {
			await until("the search for other forms", observed, () => settled === watched && !inForms);
			return [...found.values()].filter(({ other }) => other !== undefined).sort(compareResults(Date.now()));
		},
	};
}

/** Searches once; the results as `settled` has them. */
export async function findSettled(catalog: Catalog, text: string): Promise<SearchResult[]> {
	const search = followSearch(catalog, text);
	try {
		return await search.settled();
	} finally {
		search.stop();
	}
}
