import type { SessionRow } from "./row.ts";

/** A running pi. */
export interface RunningPi {
	readonly pid: number;
	/** When it was started, Unix ms; with `pid` it tells the process from a later one. */
	readonly startedMs: number;
	/** The directory that it runs in. */
	readonly cwd: string;
	/** Paths of the sessions that are known to be its. */
	readonly sessions: readonly string[];
	/** Whether the extension in it says which session it has open: then it has no other one. */
	readonly tells: boolean;
}

interface ByProcess {
	readonly pid: number;
	/** When the process was started, Unix ms. */
	readonly startedMs: number;
}

/** What was seen that shows a session to be in use. pi neither locks a session nor keeps its file open. */
export type LiveEvidence =
	/** The extension in this pi says that it has the session open. */
	| (ByProcess & { readonly kind: "noted" })
	/** pi-grove started this pi with the session, and it still runs. */
	| (ByProcess & { readonly kind: "handed-over" })
	/** The session is named in the arguments of this pi. */
	| (ByProcess & { readonly kind: "named" })
	/** This pi was started to go on with the last session of its directory (`--continue`), and this is the last one. */
	| (ByProcess & { readonly kind: "continued" })
	/** A command that this pi runs has the session in its environment (`PI_SESSION_FILE`). */
	| (ByProcess & { readonly kind: "command" })
	/** The process `program` has the file open for writing. */
	| (ByProcess & { readonly kind: "open"; readonly program: string })
	/** It is open in this pi, which started the browser and says so. */
	| (ByProcess & { readonly kind: "host" })
	/** The session was begun when this pi started, in the same directory. */
	| (ByProcess & { readonly kind: "begun" })
	/** This pi, which runs in the session's directory, is the only one there that can have written to it at `wroteMs`. */
	| (ByProcess & { readonly kind: "wrote"; readonly wroteMs: number })
	/** Lines were appended at `grewMs`; by which process cannot be seen. */
	| { readonly kind: "grew"; readonly grewMs: number };

/** A pi runs in the session's directory; which session it has open cannot be seen. */
type PossibleUse = ByProcess & { readonly kind: "may-have" };

/** What speaks for a session being in use. */
export type Use = LiveEvidence | PossibleUse;

/** What is in use on this machine. */
export interface LiveReport {
	/** By path of the session: what shows it to be in use. */
	readonly sessions: ReadonlyMap<string, readonly LiveEvidence[]>;
	/** The pi processes of this user that can list these sessions; none on systems where they cannot be seen. */
	readonly pis: readonly RunningPi[];
}

export const NOTHING_LIVE: LiveReport = { sessions: new Map(), pis: [] };

/** What is known of a session when it is asked whether it is in use. */
export type UsedSession = Pick<SessionRow, "path" | "cwd" | "modified" | "archived">;

/** What shows a session to be in use; empty when nothing does. */
export function evidenceOf({ sessions }: LiveReport, { path }: Pick<UsedSession, "path">): readonly LiveEvidence[] {
	return sessions.get(path) ?? [];
}

/** Whether a process is known to have the session: not only that it grows, or that one may have it. */
export function isByProcess({ kind }: Use): boolean {
	return kind !== "grew" && kind !== "may-have";
}

/** The same for the same fact, whenever it was seen. */
export function keyOf(use: Use): string {
	return "pid" in use ? `${use.kind} ${use.pid} ${use.startedMs}` : use.kind;
}
