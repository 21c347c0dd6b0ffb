import { NOTHING_LIVE } from "../../../catalog/model/live.ts";
import { fileNames, needsCounts, type RowFacts } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { dollarsOfFamilies } from "../../../catalog/stats/family-cost.ts";
import { NO_MARKS } from "../../../changes/noted/marks.ts";
import { memoFields, memoLast } from "../../../shared/memo.ts";
import type { State } from "../state/state.ts";
import { familiesOf, NO_FAMILIES } from "./families.ts";

/** The parts of the state that facts are made from. */
type Known = Pick<State, "catalog" | "marks" | "now">;

/**
 * What the conditions of a query depend on besides the rows; the same object as long as none of that changes, so that the
 * list is not computed again for changes that its query does not depend on.
 */
export const rowFacts = newRowFacts();

/** A separate cache of facts, for one of several queries. */
export function newRowFacts(): (known: Known, query: Query) => RowFacts {
	const factsOf = memoFields(({ rows, ...facts }: Omit<RowFacts, "fileNames"> & Pick<Known["catalog"], "rows">) => ({
		...facts,
		fileNames: fileNames(rows.keys()),
	}));
	return ({ catalog, marks, now }, { conditions }) => {
		const asksFor = (name: string) => conditions.some(({ field, value }) => field === "is" && value === name);
		const asksForMarks =
			conditions.some(({ field }) => field === "tag") || asksFor("pinned") || asksFor("tagged") || asksFor("waiting");
		return factsOf({
			rows: asksFor("orphan") ? catalog.rows : NO_ROWS,
			runs:
				asksFor("waiting") || conditions.some(({ field }) => field === "agent")
					? familiesOf(catalog.rows).runs
					: NO_FAMILIES.runs,
			familyCosts: conditions.some(({ field }) => field === "cost")
				? costsIn(catalog.counts, familiesOf(catalog.rows).runs)
				: NO_COSTS,
			live: asksFor("running") || asksFor("waiting") ? catalog.live.sessions : NOTHING_LIVE.sessions,
			marks: asksForMarks ? marks : NO_MARKS,
			counts: needsCounts(conditions) ? catalog.counts : NO_COUNTS,
			now: conditions.length === 0 ? 0 : startOfDay(now),
		});
	};
}

const costsIn = memoLast(dollarsOfFamilies);
const NO_COSTS: ReadonlyMap<string, number> = new Map();
const NO_ROWS: Known["catalog"]["rows"] = new Map();
const NO_COUNTS: Known["catalog"]["counts"] = new Map();
