import { join, relative, sep } from "node:path";
import type { SessionRow } from "./row.ts";
import { rootOf, type SessionRoots } from "./session-roots.ts";

/** Name of the directory of archived sessions. */
const NAME = "session-archive";

/**
 * The directory of the sessions that were put away, in which each has the same relative path as before:
 * `<agentDir>/session-archive`, or inside of a directory that the person chose, where pi does not look for sessions.
 */
export function archiveOf(sessionRoots: SessionRoots): string {
	return join(sessionRoots.kind === "default" ? sessionRoots.agentDir : sessionRoots.dir, NAME);
}

/** Whether a session's file is in the archive. */
export function isArchived(path: string, sessionRoots: SessionRoots): boolean {
	return path.startsWith(archiveOf(sessionRoots) + sep);
}

/** Where a session's file is when it is archived, or, of one that is archived, when it is not. */
export function otherPlace(path: string, sessionRoots: SessionRoots): string {
	const [root, archive] = [rootOf(sessionRoots), archiveOf(sessionRoots)];
	return isArchived(path, sessionRoots) ? join(root, relative(archive, path)) : join(archive, relative(root, path));
}

/** The rows, with those in the archive marked. */
export function markArchived(rows: readonly SessionRow[], sessionRoots: SessionRoots): readonly SessionRow[] {
	const start = archiveOf(sessionRoots) + sep;
	if (!rows.some(({ path }) => path.startsWith(start))) return rows;
	return rows.map((row) => withPlace(row, sessionRoots));
}

/** A row that is marked where its file is in the archive. */
export function withPlace(row: SessionRow, sessionRoots: SessionRoots): SessionRow {
	return isArchived(row.path, sessionRoots) ? { ...row, archived: true } : row;
}
