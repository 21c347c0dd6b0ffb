import { listAll } from "../../catalog/list-all.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { ListOptions } from "../../catalog/model/list-options.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import { isDirectoryTyped } from "../../store/files/paths.ts";
import type { Given } from "../arguments/given.ts";

/** The sessions that a command works on. */
export interface ListedRows {
	/** Newest activity first. */
	readonly rows: readonly SessionRow[];
	/** Such as directories that could not be read; for stderr. */
	readonly problems: readonly CatalogProblem[];
}

/** Lists the sessions that the options select (`--session-dir`, `--cwd`, `--named`, `--since`), archived ones included. */
export async function listRows(given: Given, options: ListOptions = {}): Promise<ListedRows> {
	let problems: readonly CatalogProblem[] = [];
	const all = await listAll({
		archived: true,
		sessionDir: given.sessionDir,
		...options,
		onProblems: (now) => {
			problems = now;
		},
	});
	return { rows: all.filter(rowFilter(given, Date.now())), problems };
}

/** A filter for `--cwd`, `--named` and `--since`; `now`: Unix ms. The date has been checked (`arguments.ts`). */
export function rowFilter({ cwd, named, since }: Given, now: number): (row: SessionRow) => boolean {
	const isTyped = cwd === undefined ? undefined : isDirectoryTyped(cwd);
	const from = since === undefined ? undefined : periodOf(since, now)?.from;
	return (row) =>
		(isTyped === undefined || (row.cwd !== "" && isTyped(row.cwd))) &&
		(named !== true || row.name !== undefined) &&
		(from === undefined || row.modified.getTime() >= from);
}
