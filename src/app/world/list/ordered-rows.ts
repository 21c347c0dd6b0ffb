import type { SessionCounts } from "../../../catalog/model/counts.ts";
import { HERE, type SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { pick, pickNumbers } from "../../../shared/columns.ts";
import { memoEach } from "../../../shared/memo.ts";
import { VersionedMap } from "../../../shared/versioned-map.ts";
import { projectKey } from "../../../store/files/paths.ts";
import type { Sort } from "../state/list-columns.ts";
import { type Families, familiesOf, familyDollars, lastActive, NO_FAMILIES } from "./families.ts";
import type { ProjectNames } from "./projects.ts";
import { compareKeys, compareText, type Key, orderBy } from "./sorted-by.ts";
import type { ThreadedRow } from "./thread.ts";

/** What orders use besides the rows; what the order in use does not need may be empty. */
export interface OrderFacts {
	readonly counts: ReadonlyMap<string, SessionCounts>;
	/** What runs cost, and when they work, counts for the sessions above them. */
	readonly families: Families;
	readonly projects: ProjectNames;
	/** Git branch of each directory. */
	readonly git: ReadonlyMap<string, string>;
}

/**
 * All sessions in an order, as columns: a pass over numbers takes a tenth of the time of a pass over objects.
 */
export interface OrderedRows {
	/** The list items, as roots; the same objects in every order. */
	readonly items: readonly ThreadedRow[];
	/** Their sort keys. */
	readonly keys: ArrayLike<Key>;
	/** Times of their last activity, runs included, Unix ms. */
	readonly times: Float64Array;
}

type Rows = ReadonlyMap<string, SessionRow>;

/** A cached order of all sessions, with what it was made from. */
interface Made {
	readonly rows: Rows;
	readonly facts: OrderFacts;
	readonly ordered: OrderedRows;
}

/** The order by activity, which breaks ties in all others; and the other order that was last used. */
let recent: Made | undefined;
let other: (Made & { readonly sort: Sort }) | undefined;

/**
 * All sessions in an order, not reversed; ties by newest activity. If a few have changed, only these are moved to their
 * new positions.
 */
export function orderRows(rows: Rows, sort: Sort, facts: OrderFacts): OrderedRows {
	if (sort === "threaded" || sort === "recent" || sort === "relevance") return byActivity(rows).ordered;
	if (other?.sort === sort && isSame(other, rows, facts)) return other.ordered;
	const keyOf = keysFor(sort, facts);
	const ordered = (other?.sort === sort ? reordered(other, rows, facts, keyOf) : undefined) ?? orderedBy(rows, keyOf);
	other = { sort, rows, facts, ordered };
	return ordered;
}

/** The indexes in reverse order; those with the same key keep their order. */
export function reversedIndexes(keys: ArrayLike<Key>): Uint32Array {
	const reversed = new Uint32Array(keys.length);
	let count = 0;
	for (let end = keys.length; end > 0; ) {
		let start = end - 1;
		while (start > 0 && keys[start - 1] === keys[end - 1]) start--;
		for (let at = start; at < end; at++) reversed[count++] = at;
		end = start;
	}
	return reversed;
}

const NO_FACTS: OrderFacts = {
	counts: new Map(),
	families: NO_FAMILIES,
	projects: { names: new Map(), width: 0 },
	git: new Map(),
};

function byActivity(rows: Rows): Made {
	if (recent?.rows === rows) return recent;
	const facts = { ...NO_FACTS, families: familiesOf(rows) };
	const activityKey = keysFor("recent", facts);
	const ordered = recent && reordered(recent, rows, facts, activityKey);
	recent = { rows, facts, ordered: ordered ?? inColumns(toOrdered(rows.values(), activityKey, facts)) };
	return recent;
}

/** The time of a session's last activity, as in the columns. */
function timeOf(row: SessionRow, { families }: OrderFacts): number {
	return plainKey(lastActive(row, families));
}

/** Without -0 and NaN, so that any two keys are equal or one is smaller. */
function plainKey<One extends Key>(key: One): One | number {
	return typeof key !== "number" ? key : Number.isNaN(key) ? 0 : key + 0;
}

function isSame({ rows: before, facts }: Made, rows: Rows, now: OrderFacts): boolean {
	const { counts, families, projects, git } = now;
	const isSameCost = facts.counts === counts && facts.families === families;
	return before === rows && isSameCost && facts.projects === projects && facts.git === git;
}

/** The order updated with what has changed since; undefined if too much has changed, or it is not known what. */
function reordered(
	{ rows: before, facts, ordered }: Made,
	rows: Rows,
	now: OrderFacts,
	keyOf: (row: SessionRow) => Key,
): OrderedRows | undefined {
	const { counts, families, projects, git } = now;
	if (facts.projects !== projects || facts.git !== git) return undefined;
	const changed = changedSince(before, rows);
	const counted = changedSince(facts.counts, counts);
	if (changed === undefined || counted === undefined) return undefined;
	if (changed.size + counted.size > ordered.items.length / 4) return undefined;
	const removed = new Set<SessionRow>();
	const added = new Set<SessionRow>();
	for (const [path, was] of changed) {
		const is = rows.get(path);
		if (was !== undefined) removed.add(was);
		if (is !== undefined) added.add(is);
	}
	const touch = (row: SessionRow): void => {
		if (!changed.has(row.path)) removed.add(row);
		added.add(row);
	};
	for (const path of counted.keys()) {
		const row = rows.get(path);
		if (row !== undefined) touch(row);
	}
	// The cost and the activity of a run count for the sessions above it, too.
	for (const row of [...removed].flatMap((one) => above(one, facts.families))) {
		const present = rows.get(row.path);
		if (present !== undefined) touch(present);
	}
	for (const row of [...added].flatMap((one) => above(one, families))) touch(row);
	return merge(ordered, removed, toOrdered(added, keyOf, now));
}

/** The sessions that asked for a run, the nearest first. */
function above(row: SessionRow, { parents }: Families): SessionRow[] {
	const sessions: SessionRow[] = [];
	for (let parent = parents.get(row); parent !== undefined; parent = parents.get(parent)) sessions.push(parent);
	return sessions;
}

function changedSince<Value>(
	before: ReadonlyMap<string, Value>,
	now: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value | undefined> | undefined {
	if (before === now) return new Map();
	return now instanceof VersionedMap ? now.changedSince(before) : undefined;
}

/** Merges two orders, without some rows of the first. */
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
		// Only numbers if all are numbers: `toOrdered` and `inColumns` ensure that.
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

/** A new order, made from the one by activity. */
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

/** Sorts some sessions. */
function toOrdered(rows: Iterable<SessionRow>, keyOf: (row: SessionRow) => Key, facts: OrderFacts): OrderedRow[] {
	const ordered: OrderedRow[] = [];
	for (const row of rows)
		ordered.push({ item: { row, level: undefined }, key: plainKey(keyOf(row)), time: timeOf(row, facts) });
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

/** The sort key of a session: numbers are such that the first session has the smallest. */
function keysFor(sort: Sort, facts: OrderFacts): (row: SessionRow) => Key {
	switch (sort) {
		case "threaded":
		case "recent":
		case "relevance":
			return (row) => -timeOf(row, facts);
		case "created":
			return (row) => -row.created.getTime();
		case "messages":
			return (row) => -row.messageCount;
		case "size":
			return (row) => -row.size;
		case "project": {
			const positions = positionsOf(facts.projects);
			return (row) => positions.get(projectKey(row.cwd)) ?? 0;
		}
		case "place":
			return ({ place = HERE }) => place.toLowerCase();
		case "title":
			return titleKey;
		case "git":
			return (row) => facts.git.get(row.cwd) ?? "";
		case "model":
			return (row) => facts.counts.get(row.path)?.model ?? "";
		case "cost":
			return (row) => -(familyDollars(row, facts.families, facts.counts) ?? -1);
		default:
			// Sessions that are not counted yet come last.
			return (row) => -(facts.counts.get(row.path)?.[sort] ?? -1);
	}
}

/** The position of each project by its displayed name. */
function positionsOf({ names }: ProjectNames): ReadonlyMap<string, number> {
	const sorted = [...names].toSorted(
		([a, one], [b, other]) => compareText(one.text.toLowerCase(), other.text.toLowerCase()) || compareText(a, b),
	);
	return new Map(sorted.map(([directory], index) => [directory, index]));
}

/** Characters of a title that are compared. */
const KEY_LENGTH = 60;

const titleKey = memoEach((row: SessionRow): string => sessionTitle(row).slice(0, KEY_LENGTH).toLowerCase());
