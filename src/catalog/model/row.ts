import type { Diagnostic, DiagnosticCode } from "../../store/format/diagnostic.ts";
import type { OwnRun } from "../families/own-run.ts";
import { runNameOf } from "../families/run-name.ts";

/** The name of the directory that pi uses on this machine among the places. */
export const HERE = "here";

/** One session file as the list shows it. A damaged file, and one that is not a session, also has a row. */
export interface SessionRow {
	/** Absolute path of the file; the row's identity. */
	readonly path: string;
	/** Session id from the header; "" if there is none. */
	readonly id: string;
	/** Working directory from the header; "" if there is none. Never taken from the directory's name. */
	readonly cwd: string;
	/** The last `session_info` name, trimmed; undefined if never set or cleared. */
	readonly name?: string | undefined;
	/** Text of the first non-empty user message in file order; "" if there is none. Raw: sanitize before drawing. */
	readonly firstMessage: string;
	/**
	 * What titles the session if it has no name, where that is not the first message as it is: what was typed of it, a later prompt, a
	 * command, an extension's message, an answer (store/read/title-facts.ts). Only its beginning; raw, too.
	 */
	readonly prompt?: string | undefined;
	/** The header's timestamp, else the file's modification time. */
	readonly created: Date;
	/**
	 * Time of the last user or assistant message, else the header's timestamp, else the file's modification time. That of the file also
	 * where the message's was still to come (`aheadMs`).
	 */
	readonly modified: Date;
	/** The time of its last message, Unix ms, if that was still to come when the file was read: a clock was ahead. */
	readonly aheadMs?: number | undefined;
	/** All `message` entries of the file, on every branch, as pi counts them. */
	readonly messageCount: number;
	/** The session that the header says it was forked from, as written. */
	readonly parentSession?: string | undefined;
	/** Size of the file in bytes. */
	readonly size: number;
	readonly diagnostics: readonly Diagnostic[];
	readonly archived?: true;
	/** Present for the session of a subagent. */
	readonly run?: RunPlace;
	/** What the session of a run says about that run itself; part of `run` if that is known. */
	readonly ownRun?: OwnRun;
	/** Present if the session reports runs whose sessions are not below it: these reports must be read, too. */
	readonly tells?: true;
	/** The name of its place, if it is not in the directory that pi uses here; it is only read then. */
	readonly place?: string;
	/** The names of other places that have the same session. */
	readonly alsoIn?: readonly string[];
}

/** What names a session in a list, and when it was last used. */
export type SessionNames = Pick<SessionRow, "name" | "prompt" | "firstMessage" | "cwd" | "modified" | "aheadMs">;

/** A clock may be ahead of another one by so much before its times are doubted. */
const AHEAD_MS = 3_600_000;

/** The end of the times that are believed, Unix ms; `now`: Unix ms. */
export function lastBelieved(now: number): number {
	return now + AHEAD_MS;
}

/** The time of the last message of a session, Unix ms, if it is still to come; `now`: Unix ms. */
export function timeAhead({ aheadMs }: Pick<SessionRow, "aheadMs">, now: number): number | undefined {
	return aheadMs !== undefined && aheadMs > now ? aheadMs : undefined;
}

/** When a session was last used, Unix ms, for what asks for a day; NaN if its clock was ahead, so that nobody knows. */
export function usedMs(row: Pick<SessionRow, "modified" | "aheadMs">, now: number): number {
	return timeAhead(row, now) === undefined ? row.modified.getTime() : Number.NaN;
}

/** What titles a session that has no name; "" if nothing does. Raw, and of any length. */
export function saidFirst({ prompt, firstMessage }: Pick<SessionRow, "prompt" | "firstMessage">): string {
	return prompt ?? firstMessage;
}

/** What the path of a subagent's session says about its run, or the session itself. */
export interface RunPlace {
	/** Path of the session that started the run; undefined if the runs have a directory of their own. It may be gone. */
	readonly parent: string | undefined;
	/** The id under which the parent started it, perhaps together with others; undefined for a fork. */
	readonly runId: string | undefined;
	/** Number of the run among those with this id, from 0; undefined where the path does not say it. */
	readonly index: number | undefined;
	/** Whether it began with a copy of its parent's conversation. */
	readonly isFork: boolean;
	/** The name of the agent and its task, if the session of the run names them. */
	readonly agent?: string | undefined;
	readonly task?: string | undefined;
}

/** Damage that keeps pi from opening a file as a session. */
const NO_SESSION: ReadonlySet<DiagnosticCode> = new Set([
	"unreadable",
	"empty",
	"not-a-session",
	"utf-16",
	"multi-line",
	"header-field",
]);

/** Whether pi would open the file: it can be read, and begins with a header that has an `id`. */
export function isSession(row: Pick<SessionRow, "diagnostics">): boolean {
	return whyNotASession(row) === undefined;
}

/** Why pi would not open the file as a session, as one plain sentence; undefined if it would. */
export function whyNotASession({ diagnostics }: Pick<SessionRow, "diagnostics">): string | undefined {
	return diagnostics.find(({ code, severity }) => severity === "damage" && NO_SESSION.has(code))?.message;
}

/** Whether a session has a name that was given to it for a person: the packages name the sessions of runs. */
export function isNamed({ name, run }: Pick<SessionRow, "name" | "run">): boolean {
	return name !== undefined && (run === undefined || runNameOf(name) === undefined);
}

/** The last part of a path of any system. */
export function fileName(path: string): string {
	return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}
