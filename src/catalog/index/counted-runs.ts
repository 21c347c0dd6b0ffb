import type { DatabaseSync } from "node:sqlite";
import { sep } from "../../shared/paths.ts";
import type { CountedSessions, SessionCounts } from "../model/counts.ts";
import { familyDirectory } from "../model/run-place.ts";
import { parseStored } from "./row-json.ts";
import { HAS_RUN_REPORTS, MAY_NAME_RUNS } from "./schema.ts";

/**
 * The counts of the sessions that report runs of subagents, or have started pi, as of the last count of each, ordered by when the session was begun:
 * if several report the same run, it belongs to the first. Throws an `IndexDamage`.
 */
export function countsWithRuns(db: DatabaseSync, root: string): CountedSessions {
	const sql = `SELECT path, counts FROM session
		WHERE root = ? AND counted_size >= 0 AND ${HAS_RUN_REPORTS} ORDER BY created, path`;
	return db
		.prepare(sql)
		.all(root)
		.map(({ path, counts }) => [String(path), parseStored<SessionCounts>(counts)] as const);
}

/** Whether the session of a run that one of these reports, or of a pi that it has started, may be elsewhere than below the session. */
export function tellsOfOthers(path: string, { runs = [], started }: SessionCounts): boolean {
	const below = familyDirectory(path) + sep;
	return (
		started !== undefined ||
		runs.some(({ file, sessionId }) => sessionId !== undefined || file?.startsWith(below) === false)
	);
}

/** Whether some of the sessions may be runs, or have runs, although no path says so. */
export function mayHaveNamedRuns(db: DatabaseSync, root: string): boolean {
	return db.prepare(`SELECT 1 FROM session WHERE root = ? AND ${MAY_NAME_RUNS} LIMIT 1`).get(root) !== undefined;
}

/** Whether some of the sessions have changed since they were counted. */
export function hasUncounted(db: DatabaseSync, root: string): boolean {
	const sql = "SELECT 1 FROM session WHERE root = ? AND (counted_size <> size OR counted_mtime <> mtime) LIMIT 1";
	return db.prepare(sql).get(root) !== undefined;
}
