import { isPinned, type Marks } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { type RowFacts, rowMeets } from "../../../catalog/query/conditions.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { agedBy } from "../../../catalog/query/relevance.ts";
import type { SearchResult } from "../../../catalog/search/search.ts";
import { allIndexes, indexesWhere, pick, pickNumbers } from "../../../shared/columns.ts";
import { memoLast } from "../../../shared/memo.ts";
import { VersionedMap } from "../../../shared/versioned-map.ts";
import { projectKey } from "../../../store/files/paths.ts";
import type { Order } from "../state/list-columns.ts";
import { type Families, type FoundFamilies, ranksByFamily } from "./families.ts";
import { isExcluded, rankRow } from "./match-rows.ts";
import { type OrderedRows, type OrderFacts, orderRows, reversedIndexes } from "./ordered-rows.ts";
import { orderBy } from "./sorted-by.ts";
import { linksOf, type ThreadedRow, threadRows } from "./thread.ts";

/** Which of all sessions are shown, and how. */
export interface Arrangement extends OrderFacts {
	readonly order: Order;
	/** Whether a session is shown; undefined: all are. */
	readonly isShown: ((row: SessionRow) => boolean) | undefined;
	/** Those that come first; ordered by project, first of their project. */
	readonly pinned: Marks["pinned"];
}

/**
 * Sessions in an order, in the threaded one with forks under their parents. The order of all sessions is cached, and the
 * shown ones are selected from it: filtering or reversing is one pass, without sorting.
 */
export function arrangeRows(
	rows: ReadonlyMap<string, SessionRow>,
	{ order, isShown, pinned, ...facts }: Arrangement,
): readonly ThreadedRow[] {
	const ordered = orderRows(rows, order.sort, facts);
	const isHere = isShown && ((at: number): boolean => isShown((ordered.items[at] as ThreadedRow).row));
	return arrange(rows, ordered, { order, pinned, isHere });
}

interface Shown {
	/** Whether the session at an index of the order is shown; undefined: all are. */
	readonly isHere: ((at: number) => boolean) | undefined;
}

/** The shown ones of all sessions in an order. */
function arrange(
	rows: ReadonlyMap<string, SessionRow>,
	ordered: OrderedRows,
	{ order, pinned, isHere }: Pick<Arrangement, "order" | "pinned"> & Shown,
): readonly ThreadedRow[] {
	const { sort, reversed } = order;
	const { items, keys } = ordered;
	const all = reversed ? reversedIndexes(keys) : allIndexes(items.length);
	const shown = isHere === undefined ? all : indexesWhere(all, isHere);
	if (sort === "threaded") return pinnedFirst(threadRows(ordered, shown, linksOf(rows), pinned, reversed), pinned);
	const listed = pick(items, shown);
	if (sort !== "project" || pinned.size === 0) return pinnedFirst(listed, pinned);
	const projects = Map.groupBy(listed, (_, at) => keys[shown[at] ?? 0]);
	return [...projects.values()].flatMap((project) => pinnedFirst(project, pinned));
}

/** The sessions in which, or in whose runs, the query was found. */
interface ArrangedFound extends Omit<FoundFamilies, "ranks"> {
	readonly rows: readonly ThreadedRow[];
}

/**
 * Results of a search: the heads of the families that have a rank, ordered by it or otherwise. Those with one of the paths
 * `others` come behind all that have the words as typed, in any order.
 */
export function arrangeFound(
	rows: ReadonlyMap<string, SessionRow>,
	ranksOf: (items: readonly ThreadedRow[]) => Float64Array,
	arrangement: Omit<Arrangement, "isShown">,
	{ families, others: inForms }: FoundOptions,
): ArrangedFound {
	const ordered = orderRows(rows, arrangement.order.sort, arrangement);
	const { items } = ordered;
	const { ranks, ...found } = ranksByFamily(ranksOf(items), indexesOf(items), families, inForms, NOWHERE);
	const isFound = (at: number): boolean => ranks[at] !== NOWHERE;
	const isOther = (at: number): boolean => others.has((items[at] as ThreadedRow).row.path);
	const part = (isHere: (at: number) => boolean) => arrangePart(rows, ordered, { ranks, isHere, ...arrangement });
	const { others } = found;
	if (others.size === 0) return { rows: part(isFound), ...found };
	const typed = part((at) => isFound(at) && !isOther(at));
	return { rows: [...typed, ...part((at) => isFound(at) && isOther(at))], ...found };
}

interface FoundOptions {
	readonly families: Families;
	/** Paths of the sessions that have the words of the query only in other forms. */
	readonly others: ReadonlySet<string>;
}

interface Part extends Pick<Arrangement, "order" | "pinned"> {
	readonly ranks: Float64Array;
	/** Whether the session at an index of the order belongs to it. */
	readonly isHere: (at: number) => boolean;
}

function arrangePart(
	rows: ReadonlyMap<string, SessionRow>,
	ordered: OrderedRows,
	{ ranks, isHere, order, pinned }: Part,
): readonly ThreadedRow[] {
	const { items } = ordered;
	if (order.sort !== "relevance") return arrange(rows, ordered, { order, pinned, isHere });
	const found = indexesWhere(allIndexes(items.length), isHere);
	const foundRanks = pickNumbers(ranks, found);
	const byRank = orderBy(foundRanks);
	const sorted = pick(pick(items, found), byRank);
	if (!order.reversed) return pinnedFirst(sorted, pinned);
	return pinnedFirst(pick(sorted, reversedIndexes(pickNumbers(foundRanks, byRank))), pinned);
}

/**
 * The sessions with those of a directory first, below the pinned ones; threads are kept whole.
 */
export function withFirst(
	rows: readonly ThreadedRow[],
	directory: string,
	pinned: Marks["pinned"],
): readonly ThreadedRow[] {
	const project = projectKey(directory);
	return inParts(rows, (row) => (isPinned(row, { pinned }) ? 0 : projectKey(row.cwd) === project ? 1 : 2));
}

function pinnedFirst(rows: readonly ThreadedRow[], pinned: Marks["pinned"]): readonly ThreadedRow[] {
	return pinned.size === 0 ? rows : inParts(rows, (row) => (isPinned(row, { pinned }) ? 0 : 1));
}

/** Reorders rows into up to three parts; rows below a session stay with it. */
function inParts(rows: readonly ThreadedRow[], partOf: (row: SessionRow) => 0 | 1 | 2): readonly ThreadedRow[] {
	const parts: readonly [ThreadedRow[], ThreadedRow[], ThreadedRow[]] = [[], [], []];
	let part: ThreadedRow[] = parts[2];
	for (const threaded of rows) {
		if (threaded.level === undefined) part = parts[partOf(threaded.row)];
		part.push(threaded);
	}
	return parts.flat();
}

/** What determines the results of a search. */
export interface Found {
	readonly query: Query;
	/** Results in the files so far, by path. */
	readonly results: ReadonlyMap<string, SearchResult>;
	readonly facts: RowFacts;
	/** When the search began: the age of a session counts from then, so that no row moves as time goes by. Unix ms. */
	readonly began: number;
	/** Whether the list may show a session at all; must be the same function while nothing changes. Undefined: all. */
	readonly isShown: ((row: SessionRow) => boolean) | undefined;
}

/** Rank of a session in which the query was not found. */
export const NOWHERE = Number.POSITIVE_INFINITY;

/** The rank of a session in which the query was found, lower is better; otherwise undefined. */
export function rankIn({ query, results, facts, began, isShown }: Found, row: SessionRow): number | undefined {
	if (isShown?.(row) === false || !rowMeets(row, query.conditions, facts) || isExcluded(row, query)) return undefined;
	const rank = Math.min(results.get(row.path)?.rank ?? NOWHERE, rankRow(row, query) ?? NOWHERE);
	return rank === NOWHERE ? undefined : rank + agedBy(row.modified.getTime(), began);
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
	return (
		one.query === other.query && one.facts === other.facts && one.began === other.began && one.isShown === other.isShown
	);
}
