import type { SessionRow } from "../../catalog/model/row.ts";
import type { Order } from "./list-order.ts";
import { type OrderedRow, type OrderFacts, orderRows, turnRound } from "./ordered-rows.ts";
import { sortedBy } from "./sorted-by.ts";
import { parentsOf, type ThreadedRow, threadRows } from "./thread.ts";

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
	const natural = orderRows(rows, sort, facts);
	const all = reversed ? turnRound(natural) : natural;
	const shown = isShown === undefined ? all : all.filter(({ item }) => isShown(item.row));
	if (sort === "threaded") return pinnedFirst(threadRows(shown, parentsOf(rows), pinned, reversed), pinned);
	if (sort !== "project" || pinned.size === 0) return pinnedFirst(itemsOf(shown), pinned);
	return groups(shown).flatMap((group) => pinnedFirst(itemsOf(group), pinned));
}

/** Results of a search: those of its sessions that have a rank, by that or in another order. */
export function arrangeFound(
	rows: ReadonlyMap<string, SessionRow>,
	rankOf: (row: SessionRow) => number | undefined,
	{ order, pinned, ...facts }: Omit<Arrangement, "isShown">,
): readonly ThreadedRow[] {
	if (order.sort !== "relevance")
		return arrangeRows(rows, { order, pinned, ...facts, isShown: (row) => rankOf(row) !== undefined });
	const ranked: OrderedRow[] = [];
	for (const one of orderRows(rows, order.sort, facts)) {
		const rank = rankOf(one.item.row);
		if (rank !== undefined) ranked.push({ ...one, key: rank });
	}
	const found = sortedBy(ranked, ({ key }) => key);
	return pinnedFirst(itemsOf(order.reversed ? turnRound(found) : found), pinned);
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

function itemsOf(ordered: readonly OrderedRow[]): readonly ThreadedRow[] {
	return ordered.map(({ item }) => item);
}

/** What has the same key. */
function groups(ordered: readonly OrderedRow[]): readonly (readonly OrderedRow[])[] {
	const found: OrderedRow[][] = [];
	for (const one of ordered) {
		const last = found.at(-1);
		if (last?.[0]?.key === one.key) last.push(one);
		else found.push([one]);
	}
	return found;
}
