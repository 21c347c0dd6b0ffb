import { join, relative, sep } from "node:path";
import { rootOf, type SessionRoots } from "./session-roots.ts";

/** Name of the directory of archived sessions. */
const NAME = "session-archive";

/**
 * The directory of archived sessions, in which each keeps its relative path: `<agentDir>/session-archive`, or inside of a
 * custom session directory, where pi does not look for sessions.
 */
export function archiveOf(sessionRoots: SessionRoots): string {
	return join(sessionRoots.kind === "default" ? sessionRoots.agentDir : sessionRoots.dir, NAME);
}

/** Whether a session's file is in the archive. */
export function isArchived(path: string, sessionRoots: SessionRoots): boolean {
	return path.startsWith(archiveOf(sessionRoots) + sep);
}

/** Whether a file is below the session directory or its archive: only such a one can be archived. */
export function isInSessionDir(path: string, sessionRoots: SessionRoots): boolean {
	return isArchived(path, sessionRoots) || path.startsWith(rootOf(sessionRoots) + sep);
}

/** The path of a session's file after archiving it, or, for an archived one, after bringing it back. */
export function archiveCounterpart(path: string, sessionRoots: SessionRoots): string {
	const [root, archive] = [rootOf(sessionRoots), archiveOf(sessionRoots)];
	return isArchived(path, sessionRoots) ? join(root, relative(archive, path)) : join(archive, relative(root, path));
}
