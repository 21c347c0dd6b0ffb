import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { sessionTitle } from "./draw-row.ts";
import type { Order, Sort } from "./list-order.ts";
import type { ProjectNames } from "./project-names.ts";
import { type ThreadedRow, threadRows } from "./thread.ts";

/** What orders know of sessions besides their rows. */
export interface OrderFacts {
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly projects: ProjectNames;
	/** Ids of sessions that come before all others; by project, before those of theirs. */
	readonly pinned: ReadonlySet<string>;
	/** Branches of the directories. */
	readonly git: ReadonlyMap<string, string>;
}

/** A session with its rank in a search; without one all have the same. */
export interface RankedRow {
	readonly row: SessionRow;
	readonly rank: number;
}

/** A session with what it is ordered by, so that nothing is looked up while they are compared. */
interface KeyedRow {
	readonly row: SessionRow;
	readonly key: number | string;
	/** 0 for a pinned one, else 1. */
	readonly pin: number;
	/** Of its last activity, Unix ms. */
	readonly time: number;
}

type Comparison = (a: KeyedRow, b: KeyedRow) => number;

/** Sessions in an order, forks under their parents where that is so. */
export function arrangeRows(rows: readonly SessionRow[], order: Order, facts: OrderFacts): ThreadedRow[] {
	if (order.sort === "threaded") return threadRows(rows, facts.pinned, order.reversed);
	return arrangeRanked(
		rows.map((row) => ({ row, rank: 0 })),
		order,
		facts,
	);
}

/** Results of a search in an order. */
export function arrangeRanked(
	ranked: readonly RankedRow[],
	{ sort, reversed }: Order,
	facts: OrderFacts,
): ThreadedRow[] {
	const keyOf = keysFor(sort, facts);
	const keyed = ranked.map(
		({ row, rank }): KeyedRow => ({
			row,
			key: sort === "relevance" ? rank : keyOf(row),
			pin: facts.pinned.has(row.id) ? 0 : 1,
			time: row.modified.getTime(),
		}),
	);
	const turned: Comparison = reversed ? (a, b) => byKey(b, a) : byKey;
	const all: Comparison =
		sort === "project"
			? (a, b) => turned(a, b) || a.pin - b.pin || byTime(a, b)
			: (a, b) => a.pin - b.pin || turned(a, b) || byTime(a, b);
	return keyed.sort(all).map(({ row }) => ({ row, prefix: "" }));
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
	const parts: readonly [pinned: ThreadedRow[], first: ThreadedRow[], others: ThreadedRow[]] = [[], [], []];
	let part: ThreadedRow[] = parts[2];
	for (const threaded of rows) {
		const { row, prefix } = threaded;
		if (prefix === "") part = pinned.has(row.id) ? parts[0] : row.cwd === directory ? parts[1] : parts[2];
		part.push(threaded);
	}
	return parts.flat();
}

/** Newest activity first; where that is the same, in an order that stays. */
function byTime(a: KeyedRow, b: KeyedRow): number {
	return b.time - a.time || compareText(a.row.path, b.row.path);
}

/** The smaller key first, texts from a to z; what has no text comes last. */
function byKey({ key: one }: KeyedRow, { key: other }: KeyedRow): number {
	if (typeof one === "number" && typeof other === "number") return one - other;
	if (one === "" || other === "") return Number(one === "") - Number(other === "");
	return one < other ? -1 : one > other ? 1 : 0;
}

/** What sessions are ordered by: numbers so that what comes first has the smallest. */
function keysFor(sort: Sort, facts: OrderFacts): (row: SessionRow) => number | string {
	switch (sort) {
		case "threaded":
		case "recent":
		case "relevance":
			return (row) => -row.modified.getTime();
		case "created":
			return (row) => -row.created.getTime();
		case "messages":
			return (row) => -row.messageCount;
		case "size":
			return (row) => -row.size;
		case "project": {
			const places = placesOf(facts.projects);
			return (row) => places.get(row.cwd) ?? 0;
		}
		case "title":
			return titleKey;
		case "git":
			return (row) => facts.git.get(row.cwd) ?? "";
		case "model":
			return (row) => facts.counts.get(row.path)?.model ?? "";
		default:
			// What is not counted yet comes last.
			return (row) => -(facts.counts.get(row.path)?.[sort] ?? -1);
	}
}

/** By the order of code points, which takes a tenth of the time that the rules of a language take. */
function compareText(a: string, b: string): number {
	return a < b ? -1 : a > b ? 1 : 0;
}

/** Where each project stands among all, by the name that is shown. */
function placesOf({ names }: ProjectNames): ReadonlyMap<string, number> {
	const sorted = [...names].toSorted(
		([a, one], [b, other]) => compareText(one.text.toLowerCase(), other.text.toLowerCase()) || compareText(a, b),
	);
	return new Map(sorted.map(([directory], index) => [directory, index]));
}

/** Characters of a title that are compared. */
const KEY_LENGTH = 60;
const titleKeys = new WeakMap<SessionRow, string>();

function titleKey(row: SessionRow): string {
	let key = titleKeys.get(row);
	if (key === undefined) {
		key = sessionTitle(row).slice(0, KEY_LENGTH).toLowerCase();
		titleKeys.set(row, key);
	}
	return key;
}
