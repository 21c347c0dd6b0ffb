import { isNamed, type SessionRow, usedMs } from "../../catalog/model/row.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import { isDirectoryTyped } from "../../store/files/paths.ts";
import type { Arguments } from "../arguments/arguments.ts";

/** A filter for `--cwd`, `--named` and `--since`; `now`: Unix ms. */
export function rowFilter(args: Arguments, now: number): (row: SessionRow) => boolean {
	const { cwd, named } = args;
	const isTyped = cwd === undefined ? undefined : isDirectoryTyped(cwd);
	const from = startOf(args, now);
	return (row) =>
		(isTyped === undefined || (row.cwd !== "" && isTyped(row.cwd))) &&
		(named !== true || isNamed(row)) &&
		(args.since === undefined || usedMs(row, now) >= from);
}

/** Since when sessions are selected, in Unix ms. The date has been checked (`arguments.ts`). */
function startOf({ since }: Arguments, now: number): number {
	return (since === undefined ? undefined : periodOf(since, now)?.from) ?? Number.NEGATIVE_INFINITY;
}
