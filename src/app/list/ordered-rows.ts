import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { VersionedMap } from "../../shared/versioned-map.ts";
import { sessionTitle } from "./draw-row.ts";
import type { Sort } from "./list-order.ts";
import type { ProjectNames } from "./project-names.ts";
import { compareKeys, compareText, type Key, sortedBy } from "./sorted-by.ts";
import type { ThreadedRow } from "./thread.ts";

/** What orders know of sessions besides their rows; what an order does not go by may be empty. */
export interface OrderFacts {
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly projects: ProjectNames;
	/** Branches of the directories. */
	readonly git: ReadonlyMap<string, string>;
}

/** A session in an order, with what it is ordered by. */
export interface OrderedRow {
	/** What the list shows of it where it is under no other; the same object in every order. */
	readonly item: ThreadedRow;
	readonly key: Key;
	/** Of its last activity, Unix ms. */
	readonly time: number;
}

type Rows = ReadonlyMap<string, SessionRow>;

/** An order of all sessions as it was made last. */
interface Made {
	readonly rows: Rows;
	readonly facts: OrderFacts;
	readonly ordered: readonly OrderedRow[];
}

/** By activity, which is what the others go by where they are equal; and the other one that was asked for last. */
let recent: Made | undefined;
let other: (Made & { readonly sort: Sort }) | undefined;

/**
 * All sessions in an order, as it is when it is not turned round; where they are equal, newest activity first. When a
 * few have changed only these are put in their places.
 */
export function orderRows(rows: Rows, sort: Sort, facts: OrderFacts): readonly OrderedRow[] {
	if (sort === "threaded" || sort === "recent" || sort === "relevance") return byActivity(rows).ordered;
	if (other?.sort === sort && isSame(other, rows, facts)) return other.ordered;
	const keyOf = keysFor(sort, facts);
	const ordered = (other?.sort === sort ? reordered(other, rows, facts, keyOf) : undefined) ?? orderedBy(rows, keyOf);
	other = { sort, rows, facts, ordered };
	return ordered;
}

/** The same sessions, the other way round; where they are equal, as before. */
export function turnRound(ordered: readonly OrderedRow[]): readonly OrderedRow[] {
	const turned: OrderedRow[] = [];
	for (let end = ordered.length; end > 0; ) {
		let start = end - 1;
		while (start > 0 && ordered[start - 1]?.key === ordered[end - 1]?.key) start--;
		for (let at = start; at < end; at++) turned.push(ordered[at] as OrderedRow);
		end = start;
	}
	return turned;
}

const NO_FACTS: OrderFacts = { counts: new Map(), projects: { names: new Map(), width: 0 }, git: new Map() };

function byActivity(rows: Rows): Made {
	if (recent?.rows === rows) return recent;
	const ordered = recent && reordered(recent, rows, NO_FACTS, activityKey);
	recent = { rows, facts: NO_FACTS, ordered: ordered ?? toOrdered(rows.values(), activityKey).sort(compare) };
	return recent;
}

function activityKey(row: SessionRow): number {
	return -timeOf(row);
}

function timeOf({ modified }: SessionRow): number {
	return plainKey(modified.getTime());
}

/** One zero, and no NaN, so that of any two keys one is smaller or they are the same. */
function plainKey<One extends Key>(key: One): One | number {
	return typeof key !== "number" ? key : Number.isNaN(key) ? 0 : key + 0;
}

function isSame(made: Made, rows: Rows, { counts, projects, git }: OrderFacts): boolean {
	const { facts } = made;
	return made.rows === rows && facts.counts === counts && facts.projects === projects && facts.git === git;
}

/** The order with what has changed since in its place; undefined where that is too much, or not known. */
function reordered(
	{ rows: before, facts, ordered }: Made,
	rows: Rows,
	{ counts, projects, git }: OrderFacts,
	keyOf: (row: SessionRow) => Key,
): readonly OrderedRow[] | undefined {
	if (facts.projects !== projects || facts.git !== git) return undefined;
	const changed = changedSince(before, rows);
	const counted = changedSince(facts.counts, counts);
	if (changed === undefined || counted === undefined) return undefined;
	if (changed.size + counted.size > ordered.length / 4) return undefined;
	const gone = new Set<SessionRow>();
	const come = new Set<SessionRow>();
	for (const [path, was] of changed) {
		const is = rows.get(path);
		if (was !== undefined) gone.add(was);
		if (is !== undefined) come.add(is);
	}
	for (const path of counted.keys()) {
		const row = rows.get(path);
		if (row === undefined) continue;
		if (!changed.has(path)) gone.add(row);
		come.add(row);
	}
	return merge(ordered, gone, toOrdered(come, keyOf).sort(compare));
}

function changedSince<Value>(
	before: ReadonlyMap<string, Value>,
	now: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value | undefined> | undefined {
	if (before === now) return new Map();
	return now instanceof VersionedMap ? now.changedSince(before) : undefined;
}

/** Two lists in order as one, without some rows of the first. */
function merge(
	ordered: readonly OrderedRow[],
	without: ReadonlySet<SessionRow>,
	more: readonly OrderedRow[],
): readonly OrderedRow[] {
	const merged: OrderedRow[] = [];
	let next = 0;
	for (const one of ordered) {
		if (without.has(one.item.row)) continue;
		for (let other = more[next]; other !== undefined && compare(other, one) < 0; other = more[next]) {
			merged.push(other);
			next++;
		}
		merged.push(one);
	}
	for (; next < more.length; next++) merged.push(more[next] as OrderedRow);
	return merged;
}

/** All anew: those by activity, which are at hand, by their keys. */
function orderedBy(rows: Rows, keyOf: (row: SessionRow) => Key): readonly OrderedRow[] {
	const before = byActivity(rows).ordered;
	const keyed = before.map(({ item, time }): OrderedRow => ({ item, key: plainKey(keyOf(item.row)), time }));
	return sortedBy(keyed, ({ key }) => key);
}

function toOrdered(rows: Iterable<SessionRow>, keyOf: (row: SessionRow) => Key): OrderedRow[] {
	const ordered: OrderedRow[] = [];
	for (const row of rows) ordered.push({ item: { row, prefix: "" }, key: plainKey(keyOf(row)), time: timeOf(row) });
	return ordered;
}

function compare(a: OrderedRow, b: OrderedRow): number {
	return compareKeys(a.key, b.key) || b.time - a.time || compareText(a.item.row.path, b.item.row.path);
}

/** What sessions are ordered by: numbers so that what comes first has the smallest. */
function keysFor(sort: Sort, facts: OrderFacts): (row: SessionRow) => Key {
	switch (sort) {
		case "threaded":
		case "recent":
		case "relevance":
			return activityKey;
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
