import type { SessionRow } from "../../catalog/model/row.ts";
import { allIndexes, indexesWhere, pick, pickNumbers } from "../../shared/pick.ts";
import type { Order } from "./list-order.ts";
import { type OrderFacts, orderRows, turnedRound } from "./ordered-rows.ts";
import { orderBy } from "./sorted-by.ts";
import { linksOf, type ThreadedRow, threadRows } from "./thread.ts";

/** What is shown of all sessions, and how. */
export interface Arrangement extends OrderFacts {
	readonly order: Order;
	/** Whether a session is shown; undefined: all are. */
	readonly isShown: ((row: SessionRow) => boolean) | undefined;
	/** Ids of sessions that come before all others; by project, before those of theirs. */
	readonly pinned: ReadonlySet<string>;
}

/**
 * Sessions in an order, forks under their parents where that is so. All of them are kept in order from one time to the next,
 * and what is shown is taken from that: a filter or the other way round is one pass, and no new sorting.
 */
export function arrangeRows(
	rows: ReadonlyMap<string, SessionRow>,
	{ order, isShown, pinned, ...facts }: Arrangement,
): readonly ThreadedRow[] {
	const { sort, reversed } = order;
	const ordered = orderRows(rows, sort, facts);
	const { items, keys } = ordered;
	const all = reversed ? turnedRound(keys) : allIndexes(items.length);
	const shown = isShown === undefined ? all : indexesWhere(all, (at) => isShown((items[at] as ThreadedRow).row));
	if (sort === "threaded") return pinnedFirst(threadRows(ordered, shown, linksOf(rows), pinned, reversed), pinned);
	const listed = pick(items, shown);
	if (sort !== "project" || pinned.size === 0) return pinnedFirst(listed, pinned);
	return groups(listed, (at) => keys[shown[at] ?? 0]).flatMap((group) => pinnedFirst(group, pinned));
}

/** Results of a search: those of its sessions that have a rank, by that or in another order. */
export function arrangeFound(
	rows: ReadonlyMap<string, SessionRow>,
	rankOf: (row: SessionRow) => number | undefined,
	{ order, pinned, ...facts }: Omit<Arrangement, "isShown">,
): readonly ThreadedRow[] {
	if (order.sort !== "relevance")
		return arrangeRows(rows, { order, pinned, ...facts, isShown: (row) => rankOf(row) !== undefined });
	const { items } = orderRows(rows, order.sort, facts);
	const found: ThreadedRow[] = [];
	const ranks: number[] = [];
	for (const item of items) {
		const rank = rankOf(item.row);
		if (rank === undefined) continue;
		found.push(item);
		ranks.push(rank);
	}
	const places = orderBy(ranks);
	const ordered = pick(found, places);
	if (!order.reversed) return pinnedFirst(ordered, pinned);
	return pinnedFirst(pick(ordered, turnedRound(pickNumbers(ranks, places))), pinned);
}

/**
 * The same sessions with those of a directory in front, below what is pinned; whole threads of them where they are
 * threaded.
 */
export function withFirst(
	rows: readonly ThreadedRow[],
	directory: string,
	pinned: ReadonlySet<string>,
): readonly ThreadedRow[] {
	return inParts(rows, (row) => (pinned.has(row.id) ? 0 : row.cwd === directory ? 1 : 2));
}

function pinnedFirst(rows: readonly ThreadedRow[], pinned: ReadonlySet<string>): readonly ThreadedRow[] {
	return pinned.size === 0 ? rows : inParts(rows, (row) => (pinned.has(row.id) ? 0 : 1));
}

/** In up to three parts one after the other; what stands under a session goes with it. */
function inParts(rows: readonly ThreadedRow[], partOf: (row: SessionRow) => 0 | 1 | 2): readonly ThreadedRow[] {
	const parts: readonly [ThreadedRow[], ThreadedRow[], ThreadedRow[]] = [[], [], []];
	let part: ThreadedRow[] = parts[2];
	for (const threaded of rows) {
		if (threaded.prefix === "") part = parts[partOf(threaded.row)];
		part.push(threaded);
	}
	return parts.flat();
}

/** What has the same key. */
function groups(items: readonly ThreadedRow[], keyAt: (at: number) => unknown): readonly (readonly ThreadedRow[])[] {
	const found: ThreadedRow[][] = [];
	for (const [at, item] of items.entries()) {
		const last = at > 0 && keyAt(at) === keyAt(at - 1) ? found.at(-1) : undefined;
		if (last === undefined) found.push([item]);
		else last.push(item);
	}
	return found;
}
