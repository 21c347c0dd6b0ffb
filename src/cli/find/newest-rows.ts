import type { SessionRow } from "../../catalog/model/row.ts";
import { listed } from "../../catalog/model/visibility.ts";
import type { Choose, ListedSession } from "../../catalog/snapshot.ts";
import { isDamaged, isUnreadable } from "../../store/format/diagnostic.ts";
import type { Arguments } from "../arguments/arguments.ts";
import type { ListedRows } from "./listed-rows.ts";
import { Sessions } from "./sessions.ts";

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
	const { limit } = args;
	// Loaded here: a list without a query searches nothing.
	const matching = args.words.length === 0 ? undefined : await (await import("./queried-paths.ts")).queriedPaths(args);
	// Only the rows know the directory, the name and a clock that was ahead; the counts are those of everything: they say how runs stand.
	if (
		isDrawn ||
		matching ||
		args.place !== undefined ||
		args.json ||
		args.runs ||
		args.cwd ||
		args.named ||
		args.since
	) {
		const { rows: all, isBelow, ...others } = await rowsFor(args, isDrawn);
		const rows = matching === undefined ? all : all.filter(({ path }) => matching.has(path));
		const { here, ...left } = divide(
			rows.map((row) => ({ row, archived: row.archived, damaged: isDamaged(row.diagnostics), isRun: isBelow(row) })),
			args,
		);
		const shownRows = here.slice(0, limit).map(({ row }) => row);
		const facts = { ...others, rows: shownRows, listed: here, ...left };
		return isDrawn && args.place === undefined ? { ...facts, ...(await countShown(facts, args)) } : facts;
	}
	let divided: DividedSessions<ListedSession> = { here: [], others: 0, runs: 0 };
	const choose: Choose = (all) => {
		const mine = divide(all, args);
		divided = mine;
		return mine.here.slice(0, limit);
	};
	const sessions = Sessions.of(args);
	const rows = await sessions.list(choose);
	const { here, ...left } = divided;
	return { rows, listed: here, ...left, problems: sessions.problems };
}

async function rowsFor(args: Arguments, isDrawn: boolean): Promise<ListedRows> {
	const { json = false, runs = false, counted = false } = args;
	if (args.place !== undefined) return (await import("./placed-sessions.ts")).listRowsOfPlaces(args);
	const { listRows } = await import("./listed-rows.ts");
	if (counted || (runs && !json)) return listRows(args, "all");
	const listing = await listRows(args, json || isDrawn ? "known" : "none");
	const uncounted = isDrawn ? listing.rows.filter(uncountedTest(listing)) : [];
	const bytes = bytesOf(uncounted);
	return bytes > 0 && bytes <= MOST_COUNTED ? listRows(args, "all") : listing;
}

/** The counts with those of what is shown and its runs, if these are missing and small; they are not stored in the index. */
async function countShown(
	{ rows, counts, runsByParent }: Pick<ListedRows, "rows" | "counts" | "runsByParent">,
	args: Arguments,
): Promise<Pick<ListedRows, "counts" | "familyCosts">> {
	const families = new Set(rows);
	for (const row of families) for (const run of runsByParent?.get(row.path) ?? []) families.add(run);
	const uncounted = [...families].filter(uncountedTest({ counts }));
	if (uncounted.length === 0 || bytesOf(uncounted) > MOST_COUNTED) return {};
	const { countMore } = await import("./listed-rows.ts");
	return countMore(uncounted, { counts, runsByParent }, args);
}

/** Tells whether the counts of a session are missing; of one that cannot be read they always are. */
function uncountedTest({ counts }: Pick<ListedRows, "counts">): (row: SessionRow) => boolean {
	return ({ path, diagnostics }) => counts?.has(path) !== true && !isUnreadable(diagnostics);
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
