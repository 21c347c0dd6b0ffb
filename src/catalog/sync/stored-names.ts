import type { DatabaseSync } from "node:sqlite";
import type { RunReport } from "../families/run-report.ts";
import { countsWithRuns, countsWithRunsElsewhere, hasUnheard, timesOfUncounted } from "../index/counted-runs.ts";
import type { RunPlace, SessionRow } from "../model/row.ts";
import { MOST_LATER_MS, NamedRuns } from "./named-runs.ts";

/** What the index says about runs whose paths do not name their parents. */
interface LearnedRuns {
	/** The rows that are now known to be runs, marked. */
	readonly rows: readonly SessionRow[];
	/**
	 * False if a session that was active when one of the others began has not been counted since it changed, so that it may be
	 * the parent, or one that is known to report others.
	 */
	readonly isAll: boolean;
}

/** Adds the reports in the index about such runs. Throws an `IndexDamage`. */
export function learnStored(named: NamedRuns, db: DatabaseSync, root: string): LearnedRuns {
	const { rows } = named.learn(countsWithRuns(db, root));
	const left = named.unexplained();
	const uncounted = left.length === 0 ? [] : timesOfUncounted(db, root);
	const isAll = !left.some(({ path, created }) => {
		const began = created.getTime();
		return uncounted.some(
			(one) => one.path !== path && one.createdMs - MOST_LATER_MS <= began && one.modifiedMs + MOST_LATER_MS >= began,
		);
	});
	return { rows, isAll: isAll && !hasUnheard(db, root) };
}

/**
 * The runs among the sessions, by path, as far as the index has the reports of sessions; undefined if more has to be read.
 * `candidates`: the rows of the sessions that may be runs, given these reports.
 */
export function runsAmong(
	candidates: (reports: readonly RunReport[]) => readonly SessionRow[],
	db: DatabaseSync,
	root: string,
): ReadonlyMap<string, RunPlace> | undefined {
	if (hasUnheard(db, root)) return undefined;
	// What is reported of runs below their parents is about no other session, and most people have only these.
	const elsewhere = countsWithRunsElsewhere(db, root);
	const rows = candidates(elsewhere.flatMap(([, { runs = [] }]) => runs));
	if (rows.length === 0) return new Map();
	const named = new NamedRuns();
	named.marked(rows);
	if (!learnStored(named, db, root).isAll) return undefined;
	return new Map(named.marked(rows).flatMap(({ path, run }) => (run === undefined ? [] : [[path, run] as const])));
}
