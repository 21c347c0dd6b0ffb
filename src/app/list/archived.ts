import type { SessionRow } from "../../catalog/model/row.ts";
import { asksForArchived } from "../../catalog/query/conditions.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import { memoLast } from "../model/memo.ts";
import type { Scope } from "../model/state.ts";

/** Whether a session is where the scope looks: archived ones are in a scope of their own, unless the query asks for them. */
export function fitsArchive({ archived }: SessionRow, scope: Scope, { conditions }: Query): boolean {
	if (archived !== true) return scope !== "archived";
	return scope === "archived" || asksForArchived(conditions);
}

/** How many sessions are archived. */
export const archivedCount = memoLast((rows: ReadonlyMap<string, SessionRow>): number => {
	let count = 0;
	for (const { archived } of rows.values()) if (archived === true) count += 1;
	return count;
});

/** How many sessions there are where the scope looks. */
export function countWhere(rows: ReadonlyMap<string, SessionRow>, scope: Scope): number {
	const archived = archivedCount(rows);
	return scope === "archived" ? archived : rows.size - archived;
}
