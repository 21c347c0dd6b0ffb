import { listAll, listCounted } from "../../catalog/list-all.ts";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { belowTest, runsIn } from "../../catalog/model/session-links.ts";
import type { ListOptions } from "../../catalog/model/session-roots.ts";
import { dollarsOfFamilies } from "../../catalog/stats/family-cost.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Given } from "../arguments/arguments.ts";
import { withProgressNote } from "../print/output.ts";
import { rowFilter } from "./row-filter.ts";

/** The sessions that a command works on. */
export interface ListedRows {
	/** Newest activity first. */
	readonly rows: readonly SessionRow[];
	/** Such as directories that could not be read; for stderr. */
	readonly problems: readonly CatalogProblem[];
	/** Whether a session is that of a subagent below another session that is there. */
	readonly isBelow: (row: SessionRow) => boolean;
	/** By path, if they were wanted. */
	readonly counts?: ReadonlyMap<string, SessionCounts>;
	/** What those with runs have cost with them, in dollars, by path, if counts were wanted. */
	readonly familyCosts?: ReadonlyMap<string, number>;
}

/** Lists the sessions that the options select (`--session-dir`, `--cwd`, `--named`, `--since`), archived ones included. */
export async function listRows(given: Given, options: ListOptions = {}): Promise<ListedRows> {
	let problems: readonly CatalogProblem[] = [];
	const all = await listAll({
		archived: true,
		blocking: true,
		sessionDir: given.sessionDir,
		...options,
		onProblems: (now) => {
			problems = now;
		},
	});
	return { ...select(all, given), problems };
}

/** The same, with what is in every session, counted and stored in the index. */
export async function listCountedRows(given: Given): Promise<ListedRows> {
	let text = "Counting …";
	let problems: readonly CatalogProblem[] = [];
	const counting = listCounted({
		archived: true,
		blocking: true,
		sessionDir: given.sessionDir,
		onProblems: (now) => {
			problems = now;
		},
		onCounting: (counted, total) => {
			text = `Counting: ${formatCount(counted)} of ${formatCounted(total, "session")} …`;
		},
	});
	const { rows, counts } = await withProgressNote(counting, () => text);
	const familyCosts = dollarsOfFamilies(counts, runsIn(rows));
	return { ...select(rows, given), counts, familyCosts, problems };
}

function select(all: readonly SessionRow[], given: Given): Pick<ListedRows, "rows" | "isBelow"> {
	const isBelow = belowTest(new Map(all.map(({ path, run }) => [path, run])));
	return { rows: all.filter(rowFilter(given, Date.now())), isBelow: ({ path }) => isBelow(path) };
}
