import type { SessionRow } from "../../../catalog/model/row.ts";
import { asksForArchived } from "../../../catalog/query/conditions.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import { memoVersions } from "../../../shared/memo.ts";

/** Whether a session is where the scope looks: archived ones are in a scope of their own, unless the query asks for them. */
export function fitsArchive({ archived }: SessionRow, inArchive: boolean, { conditions }: Query): boolean {
	if (archived !== true) return !inArchive;
	return inArchive || asksForArchived(conditions);
}

/** How many sessions are archived. */
export const archivedCount = memoVersions(
	(rows: ReadonlyMap<string, SessionRow>): number => {
		let count = 0;
		for (const { archived } of rows.values()) if (archived === true) count += 1;
		return count;
	},
	(before, now) => before?.archived !== now?.archived,
);

/** How many sessions there are where the scope looks. */
export function countWhere(rows: ReadonlyMap<string, SessionRow>, inArchive: boolean): number {
	const archived = archivedCount(rows);
	return inArchive ? archived : rows.size - archived;
}
