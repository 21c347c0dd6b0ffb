import { isNamed, type SessionRow, usedMs } from "../../catalog/model/row.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import { isDirectoryTyped } from "../../store/files/paths.ts";
import type { Given } from "../arguments/arguments.ts";

/** A filter for `--cwd`, `--named` and `--since`; `now`: Unix ms. */
export function rowFilter(given: Given, now: number): (row: SessionRow) => boolean {
	const { cwd, named } = given;
	const isTyped = cwd === undefined ? undefined : isDirectoryTyped(cwd);
	const from = startOf(given, now);
	return (row) =>
		(isTyped === undefined || (row.cwd !== "" && isTyped(row.cwd))) &&
		(named !== true || isNamed(row)) &&
		(given.since === undefined || usedMs(row, now) >= from);
}

/** Since when sessions are selected, in Unix ms. The date has been checked (`arguments.ts`). */
function startOf({ since }: Given, now: number): number {
	return (since === undefined ? undefined : periodOf(since, now)?.from) ?? Number.NEGATIVE_INFINITY;
}
