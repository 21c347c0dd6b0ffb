import { isPinned, type Marks } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { type RowFacts, rowMeets, withTerms } from "../../../catalog/query/conditions.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { agedBy } from "../../../catalog/query/relevance.ts";
import type { SearchResult } from "../../../catalog/search/search.ts";
import { projectKey } from "../../../shared/paths.ts";
import type { Order } from "../state/list-columns.ts";
import { type Families, type FoundFamilies, ranksByFamily } from "./families.ts";
import { isExcluded, rankRow } from "./match-rows.ts";
import { inReverse, type OrderFacts, orderRows, sortByKey } from "./ordered-rows.ts";
import { linksOf, type OrderedRow, type ThreadedRow, threadRows } from "./thread.ts";

export interface Arrangement extends OrderFacts {
	readonly order: Order;
	/** Whether a session is shown; undefined: all are. */
	readonly isShown: ((row: SessionRow) => boolean) | undefined;
	/** Sessions that come first; in the order by project, first of their project. */
	readonly pinned: Marks["pinned"];
}

/** Sessions in an order, in the threaded one with forks under their parents. The order of all sessions is cached. */
export function arrangeRows(
	rows: ReadonlyMap<string, SessionRow>,
	{ order, isShown, pinned, ...facts }: Arrangement,
): readonly ThreadedRow[] {
	const ordered = orderRows(rows, order.sort, facts);
	const shownRows = isShown === undefined ? ordered : ordered.filter(({ item }) => isShown(item.row));
	return arrange(rows, shownRows, { order, pinned });
}

function arrange(
	rows: ReadonlyMap<string, SessionRow>,
	ordered: readonly OrderedRow[],
	{ order, pinned }: Pick<Arrangement, "order" | "pinned">,
): readonly ThreadedRow[] {
	const { sort, reversed } = order;
	if (sort === "project") {
		// The project with the newest session comes first.
		const projects = [...Map.groupBy(ordered, ({ item }) => projectKey(item.row.cwd)).values()];
		return (reversed ? projects.toReversed() : projects).flatMap((project) => pinnedFirst(itemsOf(project), pinned));
	}
	const sortedRows = reversed ? inReverse(ordered) : ordered;
	if (sort === "threaded") return pinnedFirst(threadRows(sortedRows, linksOf(rows), pinned, reversed), pinned);
	return pinnedFirst(itemsOf(sortedRows), pinned);
}

function itemsOf(ordered: readonly OrderedRow[]): readonly ThreadedRow[] {
	return ordered.map(({ item }) => item);
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
	ranksOfAll: ReadonlyMap<SessionRow, number>,
	arrangement: Omit<Arrangement, "isShown">,
	{ families, others: inForms }: FoundOptions,
): ArrangedFound {
	const { ranks, ...found } = ranksByFamily(ranksOfAll, families, inForms);
	const { sort } = arrangement.order;
	const heads = orderRows(rows, sort, arrangement).filter(({ item }) => ranks.has(item.row));
	const ranked = (one: OrderedRow): OrderedRow => ({ ...one, key: ranks.get(one.item.row) ?? 0 });
	const ordered = sort === "relevance" ? sortByKey(heads.map(ranked)) : heads;
	const { others } = found;
	if (others.size === 0) return { rows: arrange(rows, ordered, arrangement), ...found };
	const part = (isOther: boolean): readonly ThreadedRow[] => {
		const partRows = ordered.filter(({ item }) => others.has(item.row.path) === isOther);
		return arrange(rows, partRows, arrangement);
	};
	return { rows: [...part(false), ...part(true)], ...found };
}

interface FoundOptions {
	readonly families: Families;
	readonly others: ReadonlySet<string>;
}

/**
 * The sessions with the sessions of a directory first, below pinned ones; threads stay whole.
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

export interface SearchMatches {
	readonly query: Query;
	/** Results in the files so far, by path. */
	readonly results: ReadonlyMap<string, SearchResult>;
	readonly facts: RowFacts;
	/** When the search began: the age of a session counts from then, so that no row moves as time goes by. Unix ms. */
	readonly began: number;
	/** Whether the list may show a session at all; undefined: all. */
	readonly isShown: ((row: SessionRow) => boolean) | undefined;
}

/** Rank of a session in which the query was not found. */
const NOWHERE = Number.POSITIVE_INFINITY;

/** The rank of a session in which the query was found, lower is better; otherwise undefined. */
function rankIn({ query, results, facts, began, isShown }: SearchMatches, row: SessionRow): number | undefined {
	const result = results.get(row.path);
	const rowFacts = withTerms(facts, query, result);
	if (isShown?.(row) === false || !rowMeets(row, query.conditions, rowFacts) || isExcluded(row, query))
		return undefined;
	const rank = Math.min(result?.rank ?? NOWHERE, rankRow(row, query) ?? NOWHERE);
	return rank === NOWHERE ? undefined : rank + agedBy(row.modified.getTime(), began);
}

export function foundRanks(
	rows: ReadonlyMap<string, SessionRow>,
	matches: SearchMatches,
): ReadonlyMap<SessionRow, number> {
	const ranks = new Map<SessionRow, number>();
	for (const row of rows.values()) {
		const rank = rankIn(matches, row);
		if (rank !== undefined) ranks.set(row, rank);
	}
	return ranks;
}
