import { sep } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { CountedSessions, SessionCounts } from "../model/counts.ts";
import { familyDirectory } from "../model/run-place.ts";
import { parseStored } from "./row-json.ts";
import { HAS_RUN_REPORTS, TELLS_OF_OTHERS, TELLS_UNCOUNTED } from "./schema.ts";

/**
 * The counts of the sessions that report runs of subagents, as of the last count of each, ordered by when the session was begun:
 * if several report the same run, it belongs to the first. Throws an `IndexDamage`.
 */
export function countsWithRuns(db: DatabaseSync, root: string): CountedSessions {
	return countsWhere(HAS_RUN_REPORTS, db, root);
}

/** The same of the sessions that report runs whose sessions may be elsewhere than below themselves. */
export function countsWithRunsElsewhere(db: DatabaseSync, root: string): CountedSessions {
	return countsWhere(TELLS_OF_OTHERS, db, root);
}

/** Whether one of these reports is of a run whose session may be elsewhere than below the session that reports it. */
export function tellsOfOthers(path: string, { runs = [] }: SessionCounts): boolean {
	const below = familyDirectory(path) + sep;
	return runs.some(({ file, sessionId }) => sessionId !== undefined || file?.startsWith(below) === false);
}

function countsWhere(condition: string, db: DatabaseSync, root: string): CountedSessions {
	const sql = `SELECT path, counts FROM session
		WHERE root = ? AND counted_size >= 0 AND ${condition} ORDER BY created, path`;
	return db
		.prepare(sql)
		.all(root)
		.map(({ path, counts }) => [String(path), parseStored<SessionCounts>(counts)] as const);
}

/** Whether a session reports runs whose sessions may be anywhere, and its reports have not been read as they are now. */
export function hasUnheard(db: DatabaseSync, root: string): boolean {
	return db.prepare(`SELECT 1 FROM session WHERE root = ? AND ${TELLS_UNCOUNTED} LIMIT 1`).get(root) !== undefined;
}

/** When the sessions began and were last active that have changed since they were counted, Unix ms. */
export function timesOfUncounted(
	db: DatabaseSync,
	root: string,
): readonly { readonly path: string; readonly createdMs: number; readonly modifiedMs: number }[] {
	const sql = `SELECT path, created, modified FROM session
		WHERE root = ? AND (counted_size <> size OR counted_mtime <> mtime)`;
	return db
		.prepare(sql)
		.all(root)
		.map(({ path, created, modified }) => {
			return { path: String(path), createdMs: Number(created), modifiedMs: Number(modified) };
		});
}
