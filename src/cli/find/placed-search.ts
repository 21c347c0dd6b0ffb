import type { SessionRow } from "../../catalog/model/row.ts";
import { type Place, placedPath } from "../../catalog/places/place.ts";
import { listPlace, searchPlace } from "../../catalog/places/place-sessions.ts";
import { eachOnce, rowOfPlace } from "../../catalog/places/placed-rows.ts";
import { asksForArchived, needsCounts, rowMeets } from "../../catalog/query/conditions.ts";
import { asksForText, type Query } from "../../catalog/query/parse-query.ts";
import { compareResults, type SearchResult } from "../../catalog/search/search.ts";
import { factsOf, resultOfRow, type SearchResults, type SessionResult, titleOf } from "../../catalog/search-all.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Given } from "../arguments/arguments.ts";
import type { Mistake } from "../print/output.ts";
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
		place.kind === "here" ? local() : searchOf(place, query, isAsked, given.limit),
	);
	if ("mistake" in answer) return answer;
	const { found, problems } = answer;
	const compare = compareResults(Date.now());
	const merged = (of: (one: SearchResults) => readonly SessionResult[]): readonly SessionResult[] => {
		const all = found.flatMap(of);
		const rows = new Map(eachOnce(all.map(({ row }) => row)).map((row) => [row.path, row]));
		return all
			.flatMap((one) => {
				const row = rows.get(one.row.path);
				return row === undefined ? [] : [{ ...one, row }];
			})
			.toSorted(compare);
	};
	const [results, others] = [merged((one) => one.results), merged((one) => one.others)];
	const sum = (of: (one: SearchResults) => number): number => found.reduce((total, one) => total + of(one), 0);
	return {
		results: results.slice(0, limit),
		others: others.slice(0, limit),
		counts: {
			results: sum((one) => one.counts.results - one.results.length) + results.length,
			others: sum((one) => one.counts.others - one.others.length) + others.length,
		},
		places: found.length,
		total: sum((one) => one.total),
		damaged: sum((one) => one.damaged),
		unsearched: [...problems.map(({ message }) => message), ...found.flatMap((one) => one.unsearched)],
		keep: async () => {
			for (const one of found) await one.keep();
		},
	};
}

async function searchOf(
	place: Place,
	query: Query,
	isAsked: (row: SessionRow) => boolean,
	limit = Number.POSITIVE_INFINITY,
): Promise<SearchResults> {
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
		// What a conflict copy has of its own can be found; all else is in the session beside it.
		const isShown = ({ conflictOf }: SessionRow) =>
			conflictOf === undefined || (asksForText(query) && conflictOf.own > 0);
		const rows = all.filter((row) => (withArchive || row.archived !== true) && isShown(row) && isAsked(row));
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
			counts: { results: found.length, others: others.length },
			total: rows.length,
			damaged: rows.filter(({ diagnostics }) => isDamaged(diagnostics)).length,
			unsearched: listed.problems.map((problem) => sanitizeLine(problem)),
			keep: async () => undefined,
		};
	});
}
