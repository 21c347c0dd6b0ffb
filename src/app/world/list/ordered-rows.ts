import type { SessionCounts } from "../../../catalog/model/counts.ts";
import { HERE, type SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { memoEach, memoLast } from "../../../shared/memo.ts";
import { columnNumber, type Sort } from "../state/list-columns.ts";
import { compareKeys, compareText, type SortKey } from "./compare-keys.ts";
import { type Families, familiesOf, familyDollars, lastActive } from "./families.ts";
import type { OrderedRow } from "./thread.ts";

/** What orders use besides the rows; what the order in use does not need may be empty. */
export interface OrderFacts {
	readonly counts: ReadonlyMap<string, SessionCounts>;
	/** What runs cost, and when they work, counts for the sessions above them. */
	readonly families: Families;
	/** Git branch of each directory. */
	readonly git: ReadonlyMap<string, string>;
}

type Rows = ReadonlyMap<string, SessionRow>;

/** All sessions in an order, not reversed; ties by newest activity, and that is the order before they are grouped by project. */
export function orderRows(rows: Rows, sort: Sort, facts: OrderFacts): readonly OrderedRow[] {
	const recent = byActivity(rows);
	if (sort === "threaded" || sort === "recent" || sort === "relevance" || sort === "project") return recent;
	return byKey(recent, sort, facts.counts, facts.families, facts.git);
}

/** Sorts by key, stably. */
export function sortByKey(rows: readonly OrderedRow[]): readonly OrderedRow[] {
	return rows.toSorted((one, other) => compareKeys(one.key, other.key));
}

/** The rows of an order in reverse; those with the same key keep their order. */
export function inReverse(rows: readonly OrderedRow[]): readonly OrderedRow[] {
	return rows.toSorted((one, other) => compareKeys(other.key, one.key));
}

const byActivity = memoLast((rows: Rows): readonly OrderedRow[] => {
	const families = familiesOf(rows);
	const ordered = [...rows.values()].map((row): OrderedRow => {
		const time = plainKey(lastActive(row, families));
		return { item: { key: row.path, row, level: undefined }, key: -time, time };
	});
	return ordered.sort((one, other) => other.time - one.time || compareText(one.item.row.path, other.item.row.path));
});

const byKey = memoLast(
	(
		recent: readonly OrderedRow[],
		sort: Sort,
		counts: OrderFacts["counts"],
		families: Families,
		git: OrderFacts["git"],
	): readonly OrderedRow[] => {
		const keyOf = keysFor(sort, { counts, families, git });
		return sortByKey(recent.map(({ item, time }) => ({ item, key: plainKey(keyOf(item.row)), time })));
	},
);

/** Without NaN, so that any two keys are equal or one is smaller. */
function plainKey<One extends SortKey>(key: One): One | number {
	return Number.isNaN(key) ? 0 : key;
}

function keysFor(sort: Sort, facts: OrderFacts): (row: SessionRow) => SortKey {
	switch (sort) {
		case "threaded":
		case "recent":
		case "relevance":
		case "project":
			return (row) => -lastActive(row, facts.families);
		case "created":
			return (row) => -row.created.getTime();
		case "messages":
			return (row) => -row.messageCount;
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
			return (row) => -(columnNumber(sort, row) ?? columnNumber(sort, facts.counts.get(row.path)) ?? -1);
	}
}

/** Characters of a title that are compared. */
const KEY_LENGTH = 60;

const titleKey = memoEach((row: SessionRow): string => sessionTitle(row).slice(0, KEY_LENGTH).toLowerCase());
