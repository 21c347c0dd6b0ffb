import type { SessionRow } from "../../catalog/model/row.ts";
import { type Place, placedPath } from "../../catalog/places/place.ts";
import { listPlace, searchPlace } from "../../catalog/places/place-sessions.ts";
import { eachOnce, rowOfPlace } from "../../catalog/places/placed-rows.ts";
import { asksForArchived, needsCounts, rowMeets } from "../../catalog/query/conditions.ts";
import { asksForText, type Query } from "../../catalog/query/parse-query.ts";
import { compareResults, type SearchResult } from "../../catalog/search/search.ts";
import { factsOf, resultOfRow, type SearchResults, type SessionResult, titleOf } from "../../catalog/search-rows.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Given } from "../arguments/arguments.ts";
import type { Mistake } from "../print/output.ts";
import { listRows } from "./listed-rows.ts";
import { inEach, withPlace } from "./placed-sessions.ts";
import { rowFilter } from "./row-filter.ts";

/** What a search finds in several places. */
export interface PlacedResults extends SearchResults {
	/** How many places were searched; `total` is the number of sessions in all of them. */
	readonly places: number;
}

/**
 * Searches the places that `--place` names. `local`: the search of this machine; `left`: path of a session here that is left out,
 * wherever it is.
 */
export async function searchPlaces(
	query: Query,
	given: Given,
	local: () => Promise<SearchResults>,
	left: string | undefined,
): Promise<PlacedResults | Mistake> {
	const { limit = Number.POSITIVE_INFINITY } = given;
	const leftId = left === undefined ? undefined : readHeader(left)?.id;
	const isSelected = rowFilter(given, Date.now());
	const isAsked = (row: SessionRow): boolean => isSelected(row) && (leftId === undefined || row.id !== leftId);
	const answer = await inEach(given, (place) =>
		place.kind === "here" ? searchHere(given, local) : searchOf(place, query, isAsked, given.limit),
	);
	if ("mistake" in answer) return answer;
	const { found, problems } = answer;
	const compare = compareResults(Date.now());
	/** The rows of all that was found, each session once. */
	const rowsOf = (which: keyof SearchResults["found"]): readonly SessionRow[] =>
		eachOnce(found.flatMap((one) => one.found[which].flatMap((path) => one.rows.get(path) ?? [])));
	const merged = (of: (one: SearchResults) => readonly SessionResult[], each: readonly SessionRow[]) => {
		const rows = new Map(each.map((row) => [row.path, row]));
		return found
			.flatMap(of)
			.flatMap((one) => {
				const row = rows.get(one.row.path);
				return row === undefined ? [] : [{ ...one, row }];
			})
			.toSorted(compare)
			.slice(0, limit);
	};
	const asTyped = rowsOf("results");
	const ids = new Set(asTyped.map(({ id }) => id));
	// A copy that has not grown as far may have the words only in other forms.
	const inOtherForms = rowsOf("others").filter(({ id }) => id === "" || !ids.has(id));
	const pathsOf = (rows: readonly SessionRow[]): readonly string[] => rows.map(({ path }) => path);
	const sum = (of: (one: SearchResults) => number): number => found.reduce((total, one) => total + of(one), 0);
	return {
		results: merged((one) => one.results, asTyped),
		others: merged((one) => one.others, inOtherForms),
		found: { results: pathsOf(asTyped), others: pathsOf(inOtherForms) },
		places: found.length,
		total: sum((one) => one.total),
		damaged: sum((one) => one.damaged),
		unsearched: [...problems.map(({ message }) => message), ...found.flatMap((one) => one.unsearched)],
		isUpTo: found.some(({ isUpTo }) => isUpTo),
	};
}

/** What was found in one place. */
interface Searched extends SearchResults {
	/** The rows of all sessions that were found, by path. */
	readonly rows: ReadonlyMap<string, SessionRow>;
}

async function searchHere(given: Given, local: () => Promise<SearchResults>): Promise<Searched> {
	const searched = await local();
	const { results, others, found } = searched;
	const isCut = results.length + others.length < found.results.length + found.others.length;
	// Beyond the limit nothing is known of a session but its path, and it may be in another place, too.
	const rows = isCut ? (await listRows(given)).rows : [...results, ...others].map(({ row }) => row);
	return { ...searched, rows: new Map(rows.map((row) => [row.path, row])) };
}

async function searchOf(
	place: Place,
	query: Query,
	isAsked: (row: SessionRow) => boolean,
	limit = Number.POSITIVE_INFINITY,
): Promise<Searched> {
	return withPlace(place, async (connection) => {
		const nothing = { results: [], others: [] };
		const [listed, hits] = await Promise.all([
			listPlace(connection, { counted: needsCounts(query.conditions) }),
			asksForText(query) ? searchPlace(connection, query.text, limit) : nothing,
		]);
		const { counts } = listed;
		const all = [...listed.rows.values()];
		const facts = factsOf(all, { rows: all, counts }, {});
		const withArchive = asksForArchived(query.conditions);
		const rows = all.filter((row) => (withArchive || row.archived !== true) && isAsked(row));
		const wanted = new Map(
			rows.filter((row) => rowMeets(row, query.conditions, facts)).map((row) => [row.path, row] as const),
		);
		const placed = (one: SearchResult): SessionResult[] => {
			const row = wanted.get(one.path);
			if (row === undefined) return [];
			const best = one.best.snippet.text === "" ? titleOf(row) : one.best;
			return [{ ...one, best, path: placedPath(place.name, row.path), row: rowOfPlace(row, place.name) }];
		};
		const results = asksForText(query) ? hits.results : [...wanted.values()].map(resultOfRow);
		const [found, others] = [results.flatMap(placed), hits.others.flatMap(placed)];
		return {
			results: found,
			others,
			found: { results: found.map(({ path }) => path), others: others.map(({ path }) => path) },
			rows: new Map([...found, ...others].map(({ row }) => [row.path, row])),
			total: rows.length,
			damaged: rows.filter(({ diagnostics }) => isDamaged(diagnostics)).length,
			unsearched: listed.problems.map((problem) => sanitizeLine(problem)),
			isUpTo: false,
		};
	});
}
