import type { SessionCounts } from "../../../catalog/model/counts.ts";
import { type LiveReport, NOTHING_LIVE } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { fileNames, needsCounts, type RowFacts } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { type Marks, NO_MARKS } from "../../../changes/noted/marks.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { State } from "../state/state.ts";

/** The parts of the state that facts are made from. */
type Known = Pick<State, "catalog" | "marks" | "now">;

/**
 * What the conditions of a query depend on besides the rows; the same object as long as none of that changes, so that the
 * list is not computed again for changes that its query does not depend on.
 */
export const rowFacts = newRowFacts();

/** A separate cache of facts, for one of several queries. */
export function newRowFacts(): (known: Known, query: Query) => RowFacts {
	const factsOf = memoLast(makeFacts);
	return ({ catalog, marks, now }, { conditions }) => {
		const asksFor = (name: string) => conditions.some(({ field, value }) => field === "is" && value === name);
		const asksForMarks =
			conditions.some(({ field }) => field === "tag") || asksFor("pinned") || asksFor("tagged") || asksFor("waiting");
		return factsOf(
			asksFor("orphan") ? catalog.rows : NO_ROWS,
			asksFor("running") || asksFor("waiting") ? catalog.live.sessions : NOTHING_LIVE.sessions,
			asksForMarks ? marks : NO_MARKS,
			needsCounts(conditions) ? catalog.counts : NO_COUNTS,
			conditions.length === 0 ? 0 : startOfDay(now),
		);
	};
}

const NO_ROWS: ReadonlyMap<string, SessionRow> = new Map();
const NO_COUNTS: ReadonlyMap<string, SessionCounts> = new Map();

function makeFacts(
	rows: ReadonlyMap<string, SessionRow>,
	live: LiveReport["sessions"],
	marks: Marks,
	counts: ReadonlyMap<string, SessionCounts>,
	now: number,
): RowFacts {
	return { live, marks, counts, now, fileNames: fileNames(rows.keys()) };
}
