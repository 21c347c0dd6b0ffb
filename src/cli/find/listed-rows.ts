import { listCounted } from "../../catalog/list-all.ts";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { belowTest, runsIn } from "../../catalog/model/session-links.ts";
import { dollarsOfFamilies, type RunsByParent } from "../../catalog/stats/family-cost.ts";
import { countSome, knownCounts } from "../../catalog/stats/stored-counts.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { keepProblems, withProgressNote } from "../print/output.ts";
import { rowFilter } from "./row-filter.ts";
import { Sessions } from "./sessions.ts";

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

/**
 * Lists the sessions that the options select (`--session-dir`, `--cwd`, `--named`, `--since`), archived ones included. `counts`: with
 * what is in them, as far as they have been counted before, or in all of them, which are counted and stored in the index.
 */
export async function listRows(args: Arguments, counts: "none" | "known" | "all" = "none"): Promise<ListedRows> {
	const { sessionDir } = args;
	if (counts === "all") {
		const { onProblems, lastProblems } = keepProblems();
		let text = "Counting …";
		const onCounting = (done: number, total: number): void => {
			text = `Counting: ${formatCount(done)} of ${formatCounted(total, "session")} …`;
		};
		const options = { archived: true, blocking: true, sessionDir, onProblems, onCounting };
		const listing = await withProgressNote(listCounted(options), () => text);
		const families = withFamilies(listing.rows, listing.counts);
		return { ...selectRows(listing.rows, args), ...families, problems: lastProblems() };
	}
	const sessions = Sessions.of(args);
	const rows = await sessions.list();
	const paths = rows.map(({ path }) => path);
	const families = counts === "known" && withFamilies(rows, await knownCounts(paths, { sessionDir }));
	return { ...selectRows(rows, args), ...families, problems: sessions.problems };
}

export function withFamilies(
	rows: readonly SessionRow[],
	counts: ReadonlyMap<string, SessionCounts>,
): Pick<ListedRows, "counts" | "familyCosts" | "runsByParent"> {
	const runsByParent = runsIn(rows);
	return { counts, familyCosts: dollarsOfFamilies(counts, runsByParent), runsByParent };
}

/** Counts more sessions, and what their families have cost; the index does not get them. */
export async function countMore(
	rows: readonly SessionRow[],
	{ counts = new Map(), runsByParent = new Map() }: Pick<ListedRows, "counts" | "runsByParent">,
	{ sessionDir }: Arguments,
): Promise<Pick<ListedRows, "counts" | "familyCosts">> {
	const paths = rows.map(({ path }) => path);
	const counting = countSome(paths, { sessionDir }, new TimeSlice());
	const all = new Map([...counts, ...(await withProgressNote(counting, () => "Counting …"))]);
	return { counts: all, familyCosts: dollarsOfFamilies(all, runsByParent) };
}

/** Those of all sessions that the options select. */
export function selectRows(all: readonly SessionRow[], args: Arguments): Pick<ListedRows, "rows" | "isBelow"> {
	const isBelow = belowTest(new Map(all.map(({ path, run }) => [path, run])));
	return { rows: all.filter(rowFilter(args, Date.now())), isBelow: ({ path }) => isBelow(path) };
}
