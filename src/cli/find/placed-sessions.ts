import { homedir } from "node:os";
import type { SessionRow } from "../../catalog/model/row.ts";
import { isIndexPath } from "../../catalog/model/session-roots.ts";
import { PlaceError } from "../../catalog/places/place.ts";
import { asksForArchived, needsCounts, type RowFacts, rowMeets, withTerms } from "../../catalog/query/conditions.ts";
import { asksForText, type Query } from "../../catalog/query/parse-query.ts";
import { compareResults, type SearchResult } from "../../catalog/search/search.ts";
import { unsearched } from "../../catalog/search-all.ts";
import {
	conditionFacts,
	resultOfRow,
	type SearchResults,
	type SessionResult,
	titleHit,
} from "../../catalog/search-rows.ts";
import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { readHeader } from "../../store/read/read-header.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { withProgressNote } from "../print/output.ts";
import { type ListedRows, selectRows, withFamilies } from "./listed-rows.ts";
import { type OpenPlaces, withChosenPlaces } from "./open-places.ts";
import { rowFilter } from "./row-filter.ts";

/* What `--place` lists, searches and sums up: the catalog of the places, each session once. */

/** Lists the sessions of the places that `--place` names, newest activity first. */
export function listRowsOfPlaces(args: Arguments): Promise<ListedRows> {
	const isCounted = args.counted === true || (args.runs === true && args.json !== true);
	return withChosenPlaces(args, async (open): Promise<ListedRows> => {
		if (isCounted) await counted(open);
		const rows = [...open.rows.values()].sort((a, b) => b.modified.getTime() - a.modified.getTime());
		const homeOf = ({ place, path }: SessionRow) => [place, open.catalog.machineOf(path).home ?? homedir()] as const;
		return {
			...selectRows(rows, args),
			...((isCounted || args.json !== true) && withFamilies(rows, open.counts)),
			problems: open.problems,
			homes: new Map(rows.map(homeOf)),
		};
	});
}

export interface PlacedResults extends SearchResults {
	/** How many places were searched; `total` is the number of sessions in all of them. */
	readonly places: number;
}

/** Searches the places that `--place` names. `left`: path of a session here that is left out, wherever it is. */
export function searchPlaces(
	query: Query,
	args: Arguments,
	{ left, marks }: { readonly left: string | undefined; readonly marks: RowFacts["marks"] },
): Promise<PlacedResults> {
	const leftId = left === undefined ? undefined : readHeader(left)?.id;
	const isSelected = rowFilter(args, Date.now());
	const withArchive = asksForArchived(query.conditions);
	const { limit } = args;
	return withChosenPlaces(args, async (open, places): Promise<PlacedResults> => {
		if (needsCounts(query.conditions)) await counted(open);
		const unreadable = new Map<string, string>();
		const searching = asksForText(query) ? hitsIn(open, query, unreadable, limit) : undefined;
		const hits = searching && (await withProgressNote(searching, () => "Searching …"));
		const all = [...open.rows.values()];
		const facts = conditionFacts(all, { rows: all, counts: open.counts }, { marks });
		const rows = all.filter(
			(row) => (withArchive || row.archived !== true) && isSelected(row) && (leftId === undefined || row.id !== leftId),
		);
		const resultsByPath = new Map(hits?.map((one) => [one.path, one]));
		const matchingRows = rows.filter((row) => {
			return rowMeets(row, query.conditions, withTerms(facts, query, resultsByPath.get(row.path)));
		});
		const byPath = new Map(matchingRows.map((row) => [row.path, row]));
		const allResults = (hits ?? matchingRows.map(resultOfRow)).flatMap((one): SessionResult[] => {
			const row = byPath.get(one.path);
			const best = one.best.snippet.text === "" && row !== undefined ? titleHit(row) : one.best;
			return row === undefined ? [] : [{ ...one, best, row }];
		});
		const [results, others] = [allResults.filter(({ other }) => !other), allResults.filter(({ other }) => other)];
		return {
			results: results.slice(0, limit),
			others: others.slice(0, limit),
			found: { results: results.map(({ path }) => path), others: others.map(({ path }) => path) },
			places: places - open.failures.length,
			total: rows.length,
			damaged: rows.filter(({ diagnostics }) => isDamaged(diagnostics)).length,
			// Without an index nothing is missing.
			unsearched: [...open.problems.filter(({ path }) => !isIndexPath(path)), ...unsearched(unreadable)].map(
				({ message }) => message,
			),
			isUpTo: false,
		};
	});
}

/**
 * What is found, best first; the first `limit` results are searched to their end. `unreadable` gets the files that could not be read, with
 * the reasons. Rejects with a `PlaceError`.
 */
async function hitsIn(
	{ catalog, rows }: OpenPlaces,
	query: Query,
	unreadable: Map<string, string>,
	limit = MAX_VISIBLE,
): Promise<readonly SearchResult[]> {
	const results = new Map<string, SearchResult>();
	const compare = compareResults(Date.now());
	const sorted = (): SearchResult[] => [...results.values()].filter(({ path }) => rows.has(path)).sort(compare);
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const stop = catalog.search(query, (event) => {
		if (event.type === "results") for (const one of event.results) results.set(one.path, one);
		else if (event.type === "lost") for (const path of event.paths) results.delete(path);
		else if (event.type === "unread") for (const [path, reason] of event.reasons) unreadable.set(path, reason);
		else if (event.type === "error") reject(new PlaceError(event.message));
		else if (event.type !== "settled" || event.inForms) return;
		// First everything that was found, then the count and the best hit of what will be printed.
		else if (event.watched > 0 || results.size === 0) resolve();
		else {
			const firstResults = sorted().slice(0, Math.min(limit, MAX_VISIBLE));
			catalog.watchVisible(
				firstResults.map(({ path }) => path),
				1,
			);
		}
	});
	await promise.finally(stop);
	return sorted();
}

/** More results than this are never searched to their end. */
const MAX_VISIBLE = 200;

/**
 * Sums over the sessions that the options select in the places that `--place` names; each counts its own. A session in two places
 * counts in the one whose row the list shows. `onSession`: called with each of them.
 */
export function statsOfPlaces(
	args: Arguments,
	on: string,
): Promise<{ readonly sum: CatalogStats } & Pick<OpenPlaces, "rows" | "problems">> {
	return withChosenPlaces(args, async (open) => {
		await counted(open);
		const { rows, problems } = open;
		const sum = await open.catalog.stats([...rows.values()], rowFilter(args, Date.now()), on);
		return { sum, rows, problems };
	});
}

function counted({ catalog }: OpenPlaces): Promise<void> {
	return withProgressNote(catalog.counted(), () => "Counting …");
}
