import type { DatabaseSync } from "node:sqlite";
import { countsWithRuns, timesOfUncounted } from "../stats/numbers-table.ts";
import { MOST_LATER_MS, type NamedRuns } from "./named-runs.ts";

/**
 * Learns from the index what sessions tell of the runs that only their names identify. Returns whether that is all: false if a
 * session that was active when such a session began has not been counted since it changed, so that it may be the parent.
 * With no such names nothing is read. Throws an `IndexDamage`.
 */
export function learnStored(named: NamedRuns, db: DatabaseSync, root: string): boolean {
	if (named.unexplained().length === 0) return true;
	named.learn(countsWithRuns(db, root));
	const left = named.unexplained();
	if (left.length === 0) return true;
	const uncounted = timesOfUncounted(db, root);
	return !left.some(({ path, created }) => {
		const began = created.getTime();
		return uncounted.some(
			(one) => one.path !== path && one.createdMs - MOST_LATER_MS <= began && one.modifiedMs + MOST_LATER_MS >= began,
		);
	});
}
