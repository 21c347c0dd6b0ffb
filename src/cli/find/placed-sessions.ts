import { homedir } from "node:os";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { belowTest } from "../../catalog/model/session-links.ts";
import { type Place, PlaceError } from "../../catalog/places/place.ts";
import type { PlacedCatalog } from "../../catalog/places/placed-catalog.ts";
import { eachOnce } from "../../catalog/places/placed-rows.ts";
import { asksForArchived, needsCounts, type RowFacts, rowMeets } from "../../catalog/query/conditions.ts";
import { asksForText, type Query } from "../../catalog/query/parse-query.ts";
import { compareResults, type SearchResult } from "../../catalog/search/search.ts";
import { unsearched } from "../../catalog/search-all.ts";
import { factsOf, resultOfRow, type SearchResults, type SessionResult, titleOf } from "../../catalog/search-rows.ts";
import type { CatalogStats, StatsSums } from "../../catalog/stats/aggregate-stats.ts";
import { placedStats } from "../../catalog/stats/merge-stats.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Given } from "../arguments/arguments.ts";
import type { Mistake } from "../print/output.ts";
import { type ListedRows, listCountedRows, listRows, listRowsAsKnown, withFamilies } from "./listed-rows.ts";
import { each, inEach, withOpenPlaces } from "./open-places.ts";
import { rowFilter } from "./row-filter.ts";

/* What `--place` lists, searches and sums up: the catalogs of the places, and this machine's own commands for the sessions here. */

/** Lists the sessions of the places that `--place` names, newest activity first. */
export async function listRowsOfPlaces(given: Given): Promise<ListedRows | Mistake> {
	const isCounted = given.counted === true || (given.runs === true && given.json !== true);
	const answer = await withOpenPlaces((places) =>
		inEach(given, async (place): Promise<ListedRows> => {
			if (place.kind === "here")
				return isCounted ? listCountedRows(given) : given.json ? listRowsAsKnown(given) : listRows(given);
			const catalog = await places.open(place);
			if (isCounted) await catalog.counted();
			const isBelow = belowTest(new Map(catalog.rows.values().map(({ path, run }) => [path, run])));
			return { ...rowsOf(catalog, given), isBelow: ({ path }) => isBelow(path), counts: catalog.counts };
		}),
	);
	if ("mistake" in answer) return answer;
	const { found, problems } = answer;
	const rows = eachOnce(found.flatMap((one) => one.rows));
	const counts = new Map(found.flatMap((one) => [...(one.counts ?? [])]));
	return {
		rows: rows.toSorted((a, b) => b.modified.getTime() - a.modified.getTime()),
		isBelow: (row) => found.some(({ isBelow }) => isBelow(row)),
		...(isCounted && withFamilies(rows, counts)),
		problems: [...problems, ...found.flatMap((one) => one.problems)],
		homes: new Map([[undefined, homedir()], ...found.flatMap(({ homes = [] }) => [...homes])]),
	};
}

/** The sessions of a place that the options select. */
function rowsOf(catalog: PlacedCatalog, given: Given): Pick<ListedRows, "rows" | "problems" | "homes"> {
	const { place, problems, rows, home = "" } = catalog;
	return {
		rows: [...rows.values()].filter(rowFilter(given, Date.now())),
		problems: problems.map(({ path, message }) => ({ path, message: sanitizeLine(message) })),
		homes: new Map([[place.name, home]]),
	};
}

/** What a search finds in several places. */
export interface PlacedResults extends SearchResults {
	/** How many places were searched; `total` is the number of sessions in all of them. */
	readonly places: number;
}

/** What was found in one place. */
interface Searched extends SearchResults {
	/** The rows of all sessions that were found, by path. */
	readonly rows: ReadonlyMap<string, SessionRow>;
}

/**
 * Searches the places that `--place` names. `local`: the search of this machine; `left`: path of a session here that is left out,
 * wherever it is.
 */
export async function searchPlaces(
	query: Query,
	given: Given,
	local: () => Promise<SearchResults>,
	{ left, marks }: { readonly left: string | undefined; readonly marks: RowFacts["marks"] },
): Promise<PlacedResults | Mistake> {
	const { limit = Number.POSITIVE_INFINITY } = given;
	const leftId = left === undefined ? undefined : readHeader(left)?.id;
	const isSelected = rowFilter(given, Date.now());
	const isAsked = (row: SessionRow): boolean => isSelected(row) && (leftId === undefined || row.id !== leftId);
	const answer = await inEach(given, (place) =>
		place.kind === "here" ? searchHere(given, local) : searchOf(place, query, { isAsked, limit, marks }),
	);
	if ("mistake" in answer) return answer;
	const { found, problems } = answer;
	const compare = compareResults(Date.now());
	/** The rows of all that was found, each session once. */
	const rowsFound = (which: keyof SearchResults["found"]): readonly SessionRow[] =>
		eachOnce(found.flatMap((one) => one.found[which].flatMap((path) => one.rows.get(path) ?? [])));
	const merged = (of: (one: SearchResults) => readonly SessionResult[], all: readonly SessionRow[]) => {
		const rows = new Map(all.map((row) => [row.path, row]));
		const results = found.flatMap(of).flatMap((one) => {
			const row = rows.get(one.row.path);
			return row === undefined ? [] : [{ ...one, row }];
		});
		return results.toSorted(compare).slice(0, limit);
	};
	const asTyped = rowsFound("results");
	const ids = new Set(asTyped.map(({ id }) => id));
	// A copy that has not grown as far may have the words only in other forms.
	const inOtherForms = rowsFound("others").filter(({ id }) => id === "" || !ids.has(id));
	const sum = (of: (one: SearchResults) => number): number => found.reduce((total, one) => total + of(one), 0);
	return {
		results: merged((one) => one.results, asTyped),
		others: merged((one) => one.others, inOtherForms),
		found: { results: asTyped.map(({ path }) => path), others: inOtherForms.map(({ path }) => path) },
		places: found.length,
		total: sum((one) => one.total),
		damaged: sum((one) => one.damaged),
		unsearched: [...problems.map(({ message }) => message), ...found.flatMap((one) => one.unsearched)],
		isUpTo: found.some(({ isUpTo }) => isUpTo),
	};
}

async function searchHere(given: Given, local: () => Promise<SearchResults>): Promise<Searched> {
	const searched = await local();
	const { results, others, found } = searched;
	const isCut = results.length + others.length < found.results.length + found.others.length;
	// Beyond the limit nothing is known of a session but its path, and it may be in another place, too.
	const rows = isCut ? (await listRows(given)).rows : [...results, ...others].map(({ row }) => row);
	return { ...searched, rows: new Map(rows.map((row) => [row.path, row])) };
}

interface SearchedFor {
	readonly isAsked: (row: SessionRow) => boolean;
	readonly limit: number;
	readonly marks: RowFacts["marks"];
}

async function searchOf(place: Place, query: Query, { isAsked, limit, marks }: SearchedFor): Promise<Searched> {
	const searched = await withOpenPlaces(async (places): Promise<Searched> => {
		const catalog = await places.open(place);
		if (needsCounts(query.conditions)) await catalog.counted();
		const unreadable = new Map<string, string>();
		const hits = asksForText(query) ? await hitsIn(catalog, query, limit, unreadable) : undefined;
		const all = [...catalog.rows.values()];
		const facts = factsOf(all, { rows: all, counts: catalog.counts }, { marks });
		const withArchive = asksForArchived(query.conditions);
		const rows = all.filter((row) => (withArchive || row.archived !== true) && isAsked(row));
		const wanted = rows.filter((row) => rowMeets(row, query.conditions, facts));
		const byPath = new Map(wanted.map((row) => [row.path, row]));
		const found = (hits ?? wanted.map(resultOfRow)).flatMap((one): SessionResult[] => {
			const row = byPath.get(one.path);
			const best = one.best.snippet.text === "" && row !== undefined ? titleOf(row) : one.best;
			return row === undefined ? [] : [{ ...one, best, row }];
		});
		const [results, others] = [found.filter(({ other }) => !other), found.filter(({ other }) => other)];
		return {
			results,
			others,
			found: { results: results.map(({ path }) => path), others: others.map(({ path }) => path) },
			rows: byPath,
			total: rows.length,
			damaged: rows.filter(({ diagnostics }) => isDamaged(diagnostics)).length,
			unsearched: [...catalog.problems, ...unsearched(unreadable)].map(({ message }) => sanitizeLine(message)),
			isUpTo: false,
		};
	});
	if ("mistake" in searched) throw new PlaceError(searched.mistake);
	return searched;
}

/**
 * What is found in a place, best first; the first `limit` results are searched to their end. `unreadable` gets the files that could
 * not be read, with the reasons. Rejects with a `PlaceError`.
 */
async function hitsIn(
	catalog: PlacedCatalog,
	query: Query,
	limit: number,
	unreadable: Map<string, string>,
): Promise<readonly SearchResult[]> {
	const results = new Map<string, SearchResult>();
	const compare = compareResults(Date.now());
	const sorted = (): SearchResult[] => [...results.values()].sort(compare);
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	const stop = catalog.search(query, (event) => {
		if (event.type === "results") for (const one of event.results) results.set(one.path, one);
		else if (event.type === "lost") for (const path of event.paths) results.delete(path);
		else if (event.type === "unread") for (const [path, reason] of event.reasons) unreadable.set(path, reason);
		else if (event.type === "error") reject(new PlaceError(event.message));
		else if (event.type !== "settled" || event.inForms) return;
		// First everything that was found, then the count and the best hit of what will be printed.
		else if (event.watched > 0 || results.size === 0) resolve();
		else
			catalog.watchVisible(
				sorted()
					.slice(0, Math.min(limit, MAX_VISIBLE))
					.map(({ path }) => path),
				1,
			);
	});
	await promise.finally(stop);
	return sorted();
}

/** More results than this are never searched to their end. */
const MAX_VISIBLE = 200;

/**
 * Sums over the sessions that the options select in the places that `--place` names; each counts its own. A session in two places
 * counts in the one whose row the list shows. `local`: the sums over those of this machine.
 */
export async function statsOfPlaces(
	given: Given,
	local: (isAsked: (row: SessionRow) => boolean) => Promise<StatsSums>,
): Promise<{ readonly sum: CatalogStats; readonly problems: readonly CatalogProblem[] } | Mistake> {
	return withOpenPlaces(async (places) => {
		const answer = await inEach(given, async (place) => {
			const { name } = place;
			if (place.kind === "here") return { name, stats: local, ...(await listRows(given)) };
			const catalog = await places.open(place);
			return { name, stats: catalog.stats.bind(catalog), ...rowsOf(catalog, given) };
		});
		if ("mistake" in answer) return answer;
		const { found, problems } = answer;
		const shown = new Set(eachOnce(found.flatMap((one) => one.rows)).map(({ path }) => path));
		const isAsked = ({ path }: SessionRow): boolean => shown.has(path);
		const summed = await each(found, async ({ name, stats }) => ({ name, sums: await stats(isAsked) }));
		const [only] = summed.problems;
		if (found.length === 1 && only !== undefined) return { mistake: only.message };
		return {
			sum: placedStats(summed.found),
			problems: [...problems, ...found.flatMap((one) => one.problems), ...summed.problems],
		};
	});
}
