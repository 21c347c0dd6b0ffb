import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { sanitizeLine, startOf } from "../text/sanitize.ts";
import { sessionTitle } from "./draw-row.ts";
import type { Order, Sort } from "./list-order.ts";
import type { ProjectNames } from "./project-names.ts";
import { type ThreadedRow, threadRows } from "./thread.ts";

/** What orders know of sessions besides their rows. */
export interface OrderFacts {
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly projects: ProjectNames;
	/** Branches of the directories. */
	readonly git: ReadonlyMap<string, string>;
}

/** A session with its rank in a search; without one all have the same. */
export interface RankedRow {
	readonly row: SessionRow;
	readonly rank: number;
}

type Comparison = (a: RankedRow, b: RankedRow) => number;

/** Sessions in an order, forks under their parents where that is so. */
export function arrangeRows(rows: readonly SessionRow[], order: Order, facts: OrderFacts): ThreadedRow[] {
	if (order.sort === "threaded") return threadRows(rows, order.reversed);
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
	const compare = comparisonOf(sort, facts);
	const turned: Comparison = reversed ? (a, b) => compare(b, a) : compare;
	return ranked.toSorted((a, b) => turned(a, b) || byTime(a, b)).map(({ row }) => ({ row, prefix: "" }));
}

/** The same sessions with those of a directory in front, whole threads of them where they are threaded. */
export function withFirst(rows: readonly ThreadedRow[], directory: string): ThreadedRow[] {
	const first: ThreadedRow[] = [];
	const others: ThreadedRow[] = [];
	let isFirst = false;
	for (const threaded of rows) {
		if (threaded.prefix === "") isFirst = threaded.row.cwd === directory;
		(isFirst ? first : others).push(threaded);
	}
	return [...first, ...others];
}

/** Newest activity first; where that is the same, in an order that stays. */
const byTime: Comparison = (a, b) =>
	b.row.modified.getTime() - a.row.modified.getTime() || compareText(a.row.path, b.row.path);

function comparisonOf(sort: Sort, facts: OrderFacts): Comparison {
	switch (sort) {
		case "threaded":
		case "recent":
			return byTime;
		case "relevance":
			return (a, b) => a.rank - b.rank;
		case "created":
			return (a, b) => b.row.created.getTime() - a.row.created.getTime();
		case "messages":
			return (a, b) => b.row.messageCount - a.row.messageCount;
		case "size":
			return (a, b) => b.row.size - a.row.size;
		case "project": {
			const places = placesOf(facts.projects);
			return (a, b) => (places.get(a.row.cwd) ?? 0) - (places.get(b.row.cwd) ?? 0);
		}
		case "title":
			return byText((row) => titleKey(row));
		case "git":
			return byText((row) => facts.git.get(row.cwd) ?? "");
		case "model":
			return byText((row) => facts.counts.get(row.path)?.model ?? "");
		default:
			return byCount((row) => facts.counts.get(row.path)?.[sort] ?? -1);
	}
}

/** The most first; what is not counted yet comes last. */
function byCount(countOf: (row: SessionRow) => number): Comparison {
	return (a, b) => countOf(b.row) - countOf(a.row);
}

/** From a to z; what has none comes last. */
function byText(textOf: (row: SessionRow) => string): Comparison {
	return (a, b) => {
		const one = textOf(a.row);
		const other = textOf(b.row);
		if (one === "" || other === "") return Number(one === "") - Number(other === "");
		return compareText(one, other);
	};
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
		const title = row.name === undefined ? startOf(row.firstMessage, KEY_LENGTH) : row.name;
		key = (title === "" ? sessionTitle(row) : sanitizeLine(title)).slice(0, KEY_LENGTH).toLowerCase();
		titleKeys.set(row, key);
	}
	return key;
}
