import type { SessionRow } from "../../catalog/model/row.ts";
import { memoLast } from "../model/memo.ts";
import type { Scope } from "../model/state.ts";

/** Whether a session is where the scope looks: archived ones are in a scope of their own. */
export function fitsArchive({ archived }: SessionRow, scope: Scope): boolean {
	return (archived === true) === (scope === "archived");
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
