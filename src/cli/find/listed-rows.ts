import { listAll } from "../../catalog/list-all.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { ListOptions } from "../../catalog/model/list-options.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import { isDirectoryTyped } from "../../store/files/paths.ts";
import type { Given } from "../arguments/given.ts";

/** The sessions that a command is about. */
export interface ListedRows {
	/** Newest activity first. */
	readonly rows: readonly SessionRow[];
	/** Directories that could not be read, and the like; for stderr. */
	readonly problems: readonly CatalogProblem[];
}

/** Lists the sessions that the options ask for, those of the archive among them: `--session-dir`, `--cwd`, `--named`, `--since`. */
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

/** Whether `--cwd`, `--named` and `--since` let a session pass; `now` is Unix ms. The date has been checked (`arguments.ts`). */
export function rowFilter({ cwd, named, since }: Given, now: number): (row: SessionRow) => boolean {
	const isAsked = cwd === undefined ? undefined : isDirectoryTyped(cwd);
	const from = since === undefined ? undefined : periodOf(since, now)?.from;
	return (row) =>
		(isAsked === undefined || (row.cwd !== "" && isAsked(row.cwd))) &&
		(named !== true || row.name !== undefined) &&
		(from === undefined || row.modified.getTime() >= from);
}
