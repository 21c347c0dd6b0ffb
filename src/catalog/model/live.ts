import type { SessionRow } from "./row.ts";

/** Identifies a process: a later one may get its pid. */
export interface ProcessId {
	readonly pid: number;
	/** When it was started, Unix ms. */
	readonly startedMs: number;
}

export interface RunningPi extends ProcessId {
	readonly cwd: string;
	/** Paths of the sessions that it is known to have open. */
	readonly sessions: readonly string[];
	/** Whether the extension in it reports its session: then it has no other one open. */
	readonly reportsSession: boolean;
}

/** What shows that a session is in use. pi neither locks a session nor keeps its file open. */
export type LiveEvidence =
	/** The extension in this pi reports that it has the session open. */
	| (ProcessId & { readonly kind: "noted" })
	/** pi-grove started this pi with the session, and it is still running. */
	| (ProcessId & { readonly kind: "handed-over" })
	/** The arguments of this pi name the session. */
	| (ProcessId & { readonly kind: "named" })
	/** This pi was started to continue the last session of its directory (`--continue`), and this is the last one. */
	| (ProcessId & { readonly kind: "continued" })
	/** A command run by this pi has the session in its environment (`PI_SESSION_FILE`). */
	| (ProcessId & { readonly kind: "command" })
	/** The process `program` has the file open for writing. */
	| (ProcessId & { readonly kind: "open"; readonly program: string })
	/** This pi started the browser and reports that it has the session open. */
	| (ProcessId & { readonly kind: "host" })
	/** The session was begun when this pi started, in the same directory. */
	| (ProcessId & { readonly kind: "begun" })
	/** This pi is the only one running in the session's directory that can have written to it at `wroteMs`. */
	| (ProcessId & { readonly kind: "wrote"; readonly wroteMs: number })
	/** The session is in another place, which reports that it is in use there. */
	| { readonly kind: "there"; readonly place: string }
	/** Lines were appended at `grewMs`, by an unknown process. */
	| { readonly kind: "grew"; readonly grewMs: number };

/** A pi runs in the session's directory; which session it has open cannot be seen. */
type PossibleUse = ProcessId & { readonly kind: "may-have" };

export type UseEvidence = LiveEvidence | PossibleUse;

export interface LiveReport {
	readonly sessions: ReadonlyMap<string, readonly LiveEvidence[]>;
	/** This user's pi processes that can list these sessions; empty on systems where processes cannot be seen. */
	readonly pis: readonly RunningPi[];
}

export const NOTHING_LIVE: LiveReport = { sessions: new Map(), pis: [] };

/** The facts about a session that decide whether it is in use. */
export type UsedSession = Pick<SessionRow, "path" | "cwd" | "modified" | "archived">;

/** What shows a session to be in use; empty if nothing does. */
export function evidenceOf({ sessions }: LiveReport, { path }: Pick<UsedSession, "path">): readonly LiveEvidence[] {
	return sessions.get(path) ?? [];
}

/** Whether a process is known to use the session: not only that the session grows, or that a process may have it. */
export function isByProcess({ kind }: UseEvidence): boolean {
	return kind !== "grew" && kind !== "may-have";
}

/** Identifies a piece of evidence, regardless of when it was seen. */
export function useKey(use: UseEvidence): string {
	return "pid" in use ? `${use.kind} ${use.pid} ${use.startedMs}` : use.kind;
}
