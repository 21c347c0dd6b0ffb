import type { DatabaseSync } from "node:sqlite";
import type { SessionRow } from "../model/row.ts";
import { countsWithRuns, timesOfUncounted } from "../stats/numbers-table.ts";
import { MOST_LATER_MS, type NamedRuns } from "./named-runs.ts";

/** What the index says of runs whose paths do not say whose they are. */
interface LearnedRuns {
	/** The rows that are now known to be runs, marked. */
	readonly rows: readonly SessionRow[];
	/**
	 * False if a session that was active when one of the others began has not been counted since it changed, so that it may be
	 * the parent.
	 */
	readonly isAll: boolean;
}

/** Learns from the index what sessions tell of such runs. Without any nothing is read. Throws an `IndexDamage`. */
export function learnStored(named: NamedRuns, db: DatabaseSync, root: string): LearnedRuns {
	if (named.unexplained().length === 0) return { rows: [], isAll: true };
	const { rows } = named.learn(countsWithRuns(db, root));
	const left = named.unexplained();
	const uncounted = left.length === 0 ? [] : timesOfUncounted(db, root);
	const isAll = !left.some(({ path, created }) => {
		const began = created.getTime();
		return uncounted.some(
			(one) => one.path !== path && one.createdMs - MOST_LATER_MS <= began && one.modifiedMs + MOST_LATER_MS >= began,
		);
	});
	return { rows, isAll };
}
