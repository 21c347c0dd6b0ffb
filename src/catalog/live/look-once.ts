import type { LiveReport } from "../model/live.ts";
import type { SessionRoots } from "../model/session-roots.ts";
import { LiveSessions, liveSources } from "./live-sessions.ts";

/**
 * Looks, in this thread and without listing sessions, which programs have these ones: what was noted, and what can be seen
 * of processes and open files. What can only be told from other sessions of the directory is left out.
 */
export function lookOnce(stateDir: string, sessionRoots: SessionRoots, paths: readonly string[]): LiveReport {
	return new LiveSessions(liveSources(stateDir, true, sessionRoots)).report(() => [], paths);
}
