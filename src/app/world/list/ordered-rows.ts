import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { pick, pickNumbers } from "../../../shared/pick.ts";
import { VersionedMap } from "../../../shared/versioned-map.ts";
import type { Sort } from "../state/list-order.ts";
import type { ProjectNames } from "./project-names.ts";
import { compareKeys, compareText, type Key, orderBy } from "./sorted-by.ts";
import type { ThreadedRow } from "./thread.ts";

/** What orders know of sessions besides their rows; what an order does not go by may be empty. */
export interface OrderFacts {
	readonly counts: ReadonlyMap<string, SessionCounts>;
	readonly projects: ProjectNames;
	/** Branches of the directories. */
	readonly git: ReadonlyMap<string, string>;
}

/**
 * All sessions in an order, as columns: a pass over numbers takes a tenth of the time of one that looks into as many objects.
 */
export interface OrderedRows {
	/** What the list shows of each where it is under no other; the same objects in every order. */
	readonly items: readonly ThreadedRow[];
	/** What they are ordered by. */
	readonly keys: ArrayLike<Key>;
	/** Of their last activity, Unix ms. */
	readonly times: Float64Array;
}

type Rows = ReadonlyMap<string, SessionRow>;

/** An order of all sessions as it was made last. */
interface Made {
	readonly rows: Rows;
	readonly facts: OrderFacts;
	readonly ordered: OrderedRows;
}

/** By activity, which is what the others go by where they are equal; and the other one that was asked for last. */
let recent: Made | undefined;
let other: (Made & { readonly sort: Sort }) | undefined;

/**
 * All sessions in an order, as it is when it is not turned round; where they are equal, newest activity first. When a
 * few have changed only these are put in their places.
 */
export function orderRows(rows: Rows, sort: Sort, facts: OrderFacts): OrderedRows {
	if (sort === "threaded" || sort === "recent" || sort === "relevance") return byActivity(rows).ordered;
	if (other?.sort === sort && isSame(other, rows, facts)) return other.ordered;
	const keyOf = keysFor(sort, facts);
	const ordered = (other?.sort === sort ? reordered(other, rows, facts, keyOf) : undefined) ?? orderedBy(rows, keyOf);
	other = { sort, rows, facts, ordered };
	return ordered;
}

/** The places of all, the other way round; those with the same key stay as they are. */
export function turnedRound(keys: ArrayLike<Key>): Uint32Array {
	const turned = new Uint32Array(keys.length);
	let count = 0;
	for (let end = keys.length; end > 0; ) {
		let start = end - 1;
		while (start > 0 && keys[start - 1] === keys[end - 1]) start--;
		for (let at = start; at < end; at++) turned[count++] = at;
		end = start;
	}
	return turned;
}

const NO_FACTS: OrderFacts = { counts: new Map(), projects: { names: new Map(), width: 0 }, git: new Map() };

function byActivity(rows: Rows): Made {
	if (recent?.rows === rows) return recent;
	const ordered = recent && reordered(recent, rows, NO_FACTS, activityKey);
	recent = { rows, facts: NO_FACTS, ordered: ordered ?? inColumns(toOrdered(rows.values(), activityKey)) };
	return recent;
}

function activityKey(row: SessionRow): number {
	return -timeOf(row);
}

/** When a session was active last, as the columns have it. */
export function timeOf({ modified }: SessionRow): number {
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
): OrderedRows | undefined {
	if (facts.projects !== projects || facts.git !== git) return undefined;
	const changed = changedSince(before, rows);
	const counted = changedSince(facts.counts, counts);
	if (changed === undefined || counted === undefined) return undefined;
	if (changed.size + counted.size > ordered.items.length / 4) return undefined;
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
	return merge(ordered, gone, toOrdered(come, keyOf));
}

function changedSince<Value>(
	before: ReadonlyMap<string, Value>,
	now: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value | undefined> | undefined {
	if (before === now) return new Map();
	return now instanceof VersionedMap ? now.changedSince(before) : undefined;
}

/** Two orders as one, without some rows of the first. */
function merge(
	{ items, keys, times }: OrderedRows,
	without: ReadonlySet<SessionRow>,
	more: readonly OrderedRow[],
): OrderedRows {
	const most = items.length + more.length;
	const merged: ThreadedRow[] = [];
	const mergedKeys: Float64Array | Key[] = keys instanceof Float64Array ? new Float64Array(most) : [];
	const mergedTimes = new Float64Array(most);
	const add = (item: ThreadedRow, key: Key, time: number): void => {
		// Numbers where all are numbers: `toOrdered` and `inColumns` see to that.
		(mergedKeys as Key[])[merged.length] = key;
		mergedTimes[merged.length] = time;
		merged.push(item);
	};
	let next = 0;
	for (let at = 0; at < items.length; at++) {
		const item = items[at] as ThreadedRow;
		if (without.size > 0 && without.has(item.row)) continue;
		const [key, time] = [keys[at] ?? 0, times[at] ?? 0];
		for (let other = more[next]; other !== undefined; other = more[++next]) {
			const order = compareKeys(other.key, key) || time - other.time;
			if ((order || compareText(other.item.row.path, item.row.path)) > 0) break;
			add(other.item, other.key, other.time);
		}
		add(item, key, time);
	}
	for (const { item, key, time } of more.slice(next)) add(item, key, time);
	return {
		items: merged,
		keys: mergedKeys instanceof Float64Array ? mergedKeys.subarray(0, merged.length) : mergedKeys,
		times: mergedTimes.subarray(0, merged.length),
	};
}

/** All anew: those by activity, which are at hand, by their keys. */
function orderedBy(rows: Rows, keyOf: (row: SessionRow) => Key): OrderedRows {
	const { items, times } = byActivity(rows).ordered;
	const keys = items.map(({ row }) => plainKey(keyOf(row)));
	const order = orderBy(keys);
	return { items: pick(items, order), keys: asColumn(pick(keys, order)), times: pickNumbers(times, order) };
}

interface OrderedRow {
	readonly item: ThreadedRow;
	readonly key: Key;
	readonly time: number;
}

/** Some sessions in order. */
function toOrdered(rows: Iterable<SessionRow>, keyOf: (row: SessionRow) => Key): OrderedRow[] {
	const ordered: OrderedRow[] = [];
	for (const row of rows)
		ordered.push({ item: { row, level: undefined }, key: plainKey(keyOf(row)), time: timeOf(row) });
	return ordered.sort(compare);
}

function inColumns(ordered: readonly OrderedRow[]): OrderedRows {
	const times = new Float64Array(ordered.length);
	for (const [at, { time }] of ordered.entries()) times[at] = time;
	return { items: ordered.map(({ item }) => item), keys: asColumn(ordered.map(({ key }) => key)), times };
}

function asColumn(keys: readonly Key[]): ArrayLike<Key> {
	const numbers = new Float64Array(keys.length);
	for (let at = 0; at < keys.length; at++) {
		const key = keys[at];
		if (typeof key !== "number") return keys;
		numbers[at] = key;
	}
	return numbers;
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
