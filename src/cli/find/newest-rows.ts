import type { SessionRow } from "../../catalog/model/row.ts";
import type { ListOptions } from "../../catalog/model/session-roots.ts";
import { type Choose, type ListedSession, listKnown } from "../../catalog/snapshot.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import type { Given } from "../arguments/arguments.ts";
import { keepProblems, type Mistake, withProgressNote } from "../print/output.ts";
import type { ListedRows } from "./listed-rows.ts";

/** What `list` prints. */
export interface NewestRows extends Omit<ListedRows, "isBelow"> {
	/** All sessions that the options select, in the archive with `--archived`, else outside of it; `rows` are the first. */
	readonly listed: readonly Pick<ListedSession, "damaged" | "isRun">[];
	/** How many are on the other side. */
	readonly others: number;
	/** How many runs of subagents are left out. */
	readonly runs: number;
}

/**
 * Lists the sessions that the options select, with the rows of only as many as `--limit` says; with `--counted` and, outside of JSON,
 * `--runs` they are counted.
 */
export async function listNewest(given: Given): Promise<NewestRows | Mistake> {
	const { sessionDir, limit, archived = false } = given;
	// Only the rows know the directory, the name and a clock that was ahead; the counts are those of everything: they say how runs stand.
	if (given.place !== undefined || given.json || given.runs || given.cwd || given.named || given.since) {
		const listed = await rowsFor(given);
		if ("mistake" in listed) return listed;
		const { rows: all, isBelow, ...others } = listed;
		const sessions = given.runs ? all : all.filter((row) => !isBelow(row));
		const here = sessions.filter((row) => (row.archived ?? false) === archived);
		const facts = here.map((row) => ({ damaged: isDamaged(row.diagnostics), isRun: isBelow(row) }));
		return { ...others, rows: here.slice(0, limit), listed: facts, ...leftOut(all, sessions, here) };
	}
	let here: readonly ListedSession[] = [];
	let left = { others: 0, runs: 0 };
	const { onProblems, kept } = keepProblems();
	const choose: Choose = (all) => {
		const sessions = all.filter(({ isRun }) => !isRun);
		const listed = sessions.filter((one) => one.archived === archived);
		here = listed;
		left = leftOut(all, sessions, listed);
		return listed.slice(0, limit);
	};
	const options: ListOptions = { archived: true, blocking: true, sessionDir, onProblems };
	const read = async (): Promise<readonly SessionRow[]> => {
		// Loaded only if it is needed, as above: the thread's code is larger than all that the list needs.
		const { listRead } = await import("../../catalog/list-all.ts");
		return listRead(choose, options);
	};
	const rows = (await listKnown(choose, options)) ?? (await withProgressNote(read(), () => "Listing …"));
	return { rows, listed: here, ...left, problems: kept() };
}

async function rowsFor(given: Given): Promise<ListedRows | Mistake> {
	const { json = false, runs = false, counted = false } = given;
	if (given.place !== undefined) return (await import("./placed-sessions.ts")).listRowsOfPlaces(given);
	const { listCountedRows, listRows, listRowsAsKnown } = await import("./listed-rows.ts");
	if (counted || (runs && !json)) return listCountedRows(given);
	return json ? listRowsAsKnown(given) : listRows(given);
}

/** How many sessions are on the other side of the archive, and how many runs are left out. */
function leftOut(
	all: readonly unknown[],
	sessions: readonly unknown[],
	listed: readonly unknown[],
): Pick<NewestRows, "others" | "runs"> {
	return { others: sessions.length - listed.length, runs: all.length - sessions.length };
}
