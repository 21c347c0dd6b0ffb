import { listAll, listCounted } from "../../catalog/list-all.ts";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { belowTest, runsIn } from "../../catalog/model/session-links.ts";
import type { ListOptions } from "../../catalog/model/session-roots.ts";
import { dollarsOfFamilies, type RunsByParent } from "../../catalog/stats/family-cost.ts";
import { knownCounts } from "../../catalog/stats/stored-counts.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { keepProblems, withProgressNote } from "../print/output.ts";
import { rowFilter } from "./row-filter.ts";

export interface ListedRows {
	/** Newest activity first. */
	readonly rows: readonly SessionRow[];
	/** Such as directories that could not be read; for stderr. */
	readonly problems: readonly CatalogProblem[];
	/** Whether a session belongs to a subagent, below another existing session. */
	readonly isBelow: (row: SessionRow) => boolean;
	/** By path, if they were wanted. */
	readonly counts?: ReadonlyMap<string, SessionCounts>;
	/** What those with runs have cost with them, in dollars, by path, if counts were wanted. */
	readonly familyCosts?: ReadonlyMap<string, number>;
	/** The sessions of runs, by the path of the session that started them, if counts were wanted. */
	readonly runsByParent?: RunsByParent<SessionRow>;
	/** Home directories by place, for shortening paths. @default that of this machine */
	readonly homes?: ReadonlyMap<string | undefined, string>;
}

/** Lists the sessions that the options select (`--session-dir`, `--cwd`, `--named`, `--since`), archived ones included. */
export async function listRows(args: Arguments): Promise<ListedRows> {
	const { onProblems, lastProblems } = keepProblems();
	const all = await listEverything(args, onProblems);
	return { ...selectRows(all, args), problems: lastProblems() };
}

/** The same, with what is in those sessions that have been counted before. */
export async function listRowsAsKnown(args: Arguments): Promise<ListedRows> {
	const { onProblems, lastProblems } = keepProblems();
	const all = await listEverything(args, onProblems);
	const counts = await knownCounts(
		all.map(({ path }) => path),
		{ sessionDir: args.sessionDir },
	);
	return { ...selectRows(all, args), ...withFamilies(all, counts), problems: lastProblems() };
}

function listEverything(
	{ sessionDir }: Arguments,
	onProblems: ListOptions["onProblems"],
): Promise<readonly SessionRow[]> {
	return listAll({ archived: true, blocking: true, sessionDir, ...(onProblems && { onProblems }) });
}

export function withFamilies(
	rows: readonly SessionRow[],
	counts: ReadonlyMap<string, SessionCounts>,
): Pick<ListedRows, "counts" | "familyCosts" | "runsByParent"> {
	const runsByParent = runsIn(rows);
	return { counts, familyCosts: dollarsOfFamilies(counts, runsByParent), runsByParent };
}

/** The same, with what is in every session, counted and stored in the index. */
export async function listCountedRows(args: Arguments): Promise<ListedRows> {
	let text = "Counting …";
	const { onProblems, lastProblems } = keepProblems();
	const counting = listCounted({
		archived: true,
		blocking: true,
		sessionDir: args.sessionDir,
		onProblems,
		onCounting: (counted, total) => {
			text = `Counting: ${formatCount(counted)} of ${formatCounted(total, "session")} …`;
		},
	});
	const { rows, counts } = await withProgressNote(counting, () => text);
	return { ...selectRows(rows, args), ...withFamilies(rows, counts), problems: lastProblems() };
}

/** Those of all sessions that the options select. */
export function selectRows(all: readonly SessionRow[], args: Arguments): Pick<ListedRows, "rows" | "isBelow"> {
	const isBelow = belowTest(new Map(all.map(({ path, run }) => [path, run])));
	return { rows: all.filter(rowFilter(args, Date.now())), isBelow: ({ path }) => isBelow(path) };
}
