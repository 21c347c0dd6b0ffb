import type { SessionRow } from "../../../catalog/model/row.ts";
import { type RowFacts, rowMeets } from "../../../catalog/query/conditions.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import type { SearchResult } from "../../../catalog/search/search.ts";
import { memoLast } from "../../../shared/memo.ts";
import { VersionedMap } from "../../../shared/versioned-map.ts";
import { isExcluded, rankRow } from "./match-rows.ts";
import type { ThreadedRow } from "./thread.ts";

/** What determines the results of a search. */
export interface Found {
	readonly query: Query;
	/** Results in the files so far, by path. */
	readonly results: ReadonlyMap<string, SearchResult>;
	readonly facts: RowFacts;
	/** Whether the list may show a session at all; must be the same function while nothing changes. Undefined: all. */
	readonly isShown: ((row: SessionRow) => boolean) | undefined;
}

/** Rank of a session in which the query was not found. */
export const NOWHERE = Number.POSITIVE_INFINITY;

/** The rank of a session in which the query was found, lower is better; otherwise undefined. */
export function rankIn({ query, results, facts, isShown }: Found, row: SessionRow): number | undefined {
	if (isShown?.(row) === false || !rowMeets(row, query.conditions, facts) || isExcluded(row, query)) return undefined;
	const rank = Math.min(results.get(row.path)?.rank ?? NOWHERE, rankRow(row, query) ?? NOWHERE);
	return rank === NOWHERE ? undefined : rank;
}

interface Made extends Found {
	readonly items: readonly ThreadedRow[];
	readonly ranks: Float64Array;
}

/** The last result. */
let last: Made | undefined;

/**
 * The ranks of sessions in their order, `NOWHERE` for those in which the query was not found. Only valid until the next
 * call, which may change the array. Results come in hundreds of batches, and computing the ranks of 50,000 sessions for each
 * of them would keep keys waiting, so only those whose results have changed since the last call are computed.
 */
export function foundRanks(items: readonly ThreadedRow[], found: Found): Float64Array {
	const before = last?.items === items && isSameButResults(last, found) ? last : undefined;
	const { results } = found;
	const changed = before && results instanceof VersionedMap ? results.changedSince(before.results) : undefined;
	const ranks = (changed && before?.ranks) ?? new Float64Array(items.length);
	const note = (at: number): void => {
		ranks[at] = rankIn(found, (items[at] as ThreadedRow).row) ?? NOWHERE;
	};
	if (changed === undefined) {
		for (let at = 0; at < items.length; at++) note(at);
	} else {
		for (const path of changed.keys()) {
			const at = indexesOf(items).get(path);
			if (at !== undefined) note(at);
		}
	}
	last = { ...found, items, ranks };
	return ranks;
}

const indexesOf = memoLast(
	(items: readonly ThreadedRow[]): ReadonlyMap<string, number> => new Map(items.map(({ row }, at) => [row.path, at])),
);

function isSameButResults(one: Found, other: Found): boolean {
	return one.query === other.query && one.facts === other.facts && one.isShown === other.isShown;
}
