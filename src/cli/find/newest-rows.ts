import type { SessionRow } from "../../catalog/model/row.ts";
import type { ListOptions } from "../../catalog/model/session-roots.ts";
import { listed } from "../../catalog/model/visibility.ts";
import { type Choose, type ListedSession, listKnown } from "../../catalog/snapshot.ts";
import { isDamaged, isUnreadable } from "../../store/format/diagnostic.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { keepProblems, withProgressNote } from "../print/output.ts";
import type { ListedRows } from "./listed-rows.ts";

/** What `list` prints. */
export interface NewestRows extends Omit<ListedRows, "isBelow"> {
	/** All sessions that the options select, in the archive with `--archived`, else outside of it; `rows` are the first. */
	readonly listed: readonly Pick<ListedSession, "damaged" | "isRun">[];
	/** How many are on the other side. */
	readonly others: number;
	readonly runs: number;
}

/** Bytes of uncounted sessions, at most, that a list for a terminal counts unasked: that takes about a second, once. */
const MOST_COUNTED = 64 * 1024 * 1024;

/**
 * Lists the sessions that the options select, with the rows of only as many as `--limit` says; with `--counted` and, outside of JSON,
 * `--runs` they are counted. `isDrawn`: for a terminal, which shows the numbers that are known, or all of them if few are missing.
 */
export async function listNewest(args: Arguments, isDrawn = false): Promise<NewestRows> {
	const { sessionDir, limit } = args;
	// Only the rows know the directory, the name and a clock that was ahead; the counts are those of everything: they say how runs stand.
	if (isDrawn || args.place !== undefined || args.json || args.runs || args.cwd || args.named || args.since) {
		const { rows, isBelow, ...others } = await rowsFor(args, isDrawn);
		const { here, ...left } = divide(
			rows.map((row) => ({ row, archived: row.archived, damaged: isDamaged(row.diagnostics), isRun: isBelow(row) })),
			args,
		);
		return { ...others, rows: here.slice(0, limit).map(({ row }) => row), listed: here, ...left };
	}
	let divided: DividedSessions<ListedSession> = { here: [], others: 0, runs: 0 };
	const { onProblems, lastProblems } = keepProblems();
	const choose: Choose = (all) => {
		const mine = divide(all, args);
		divided = mine;
		return mine.here.slice(0, limit);
	};
	const options: ListOptions = { archived: true, blocking: true, sessionDir, onProblems };
	const read = async (): Promise<readonly SessionRow[]> => {
		// Loaded only if it is needed, as above: the thread's code is larger than all that the list needs.
		const { listRead } = await import("../../catalog/list-all.ts");
		return listRead(choose, options);
	};
	const rows = (await listKnown(choose, options)) ?? (await withProgressNote(read(), () => "Listing …"));
	const { here, ...left } = divided;
	return { rows, listed: here, ...left, problems: lastProblems() };
}

async function rowsFor(args: Arguments, isDrawn: boolean): Promise<ListedRows> {
	const { json = false, runs = false, counted = false } = args;
	if (args.place !== undefined) return (await import("./placed-sessions.ts")).listRowsOfPlaces(args);
	const { listRows } = await import("./listed-rows.ts");
	if (counted || (runs && !json)) return listRows(args, "all");
	const listing = await listRows(args, json || isDrawn ? "known" : "none");
	const { rows, isBelow, counts, runsByParent } = listing;
	if (!isDrawn || counts === undefined || runsByParent === undefined) return listing;
	const isUncounted = ({ path, diagnostics }: SessionRow): boolean => !counts.has(path) && !isUnreadable(diagnostics);
	const allBytes = bytesOf(rows.filter(isUncounted));
	if (allBytes > 0 && allBytes <= MOST_COUNTED) return listRows(args, "all");
	// Else only what is shown is counted, with its runs, if that is little.
	const { here } = divide(
		rows.map((row) => ({ row, archived: row.archived, isRun: isBelow(row) })),
		args,
	);
	const families = new Set(here.slice(0, args.limit).map(({ row }) => row));
	for (const row of families) for (const run of runsByParent.get(row.path) ?? []) families.add(run);
	const uncounted = [...families].filter(isUncounted);
	if (uncounted.length === 0 || bytesOf(uncounted) > MOST_COUNTED) return listing;
	const { countedMore } = await import("./listed-rows.ts");
	return { ...listing, ...(await countedMore(uncounted, counts, runsByParent, args)) };
}

function bytesOf(rows: readonly SessionRow[]): number {
	return rows.reduce((sum, { size }) => sum + size, 0);
}

/** The sessions on one side of the archive, how many are on the other side, and how many runs are left out. */
interface DividedSessions<Session> extends Pick<NewestRows, "others" | "runs"> {
	readonly here: readonly Session[];
}

function divide<Session extends Pick<ListedSession, "isRun"> & { readonly archived?: boolean | undefined }>(
	all: readonly Session[],
	{ archived, runs = false }: Arguments,
): DividedSessions<Session> {
	const sessions = listed(all, { archived: "also", runs });
	const here = listed(sessions, { archived: archived ? "only" : "none", runs });
	return { here, others: sessions.length - here.length, runs: all.length - sessions.length };
}
