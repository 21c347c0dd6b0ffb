import { homedir } from "node:os";
import { runToEnd, type Steps } from "../shared/steps.ts";
import { fileKey } from "../shared/system.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { Session } from "../store/read/read-session.ts";
import { pathTo } from "../store/tree/session-table.ts";
import { type SessionEvent, sessionEvents } from "./session-events.ts";

/** An edit in the session that it was made in. */
export interface SessionEdit extends TalliedEdit {
	/** Number of the turn on its branch, from 1; 0 before the first prompt. */
	readonly turn: number;
	/** Whether it is on the path to the leaf, or to the entry that was asked about. */
	readonly isActive: boolean;
	/** What a command did to a file that no tool of pi changed: "moved here". */
	readonly deed?: string | undefined;
}

/** What a session has changed in files with pi's `edit` and `write`. */
export interface SessionEdits {
	/** On all branches, in the order of the session's file. */
	readonly edits: readonly SessionEdit[];
	/** Number of edits whose file is not known. */
	readonly unplaced: number;
	/** Number of commands that may have changed more (`RanCommand`). */
	readonly commands: number;
}

export interface EditedFile {
	/** Absolute, as pi resolves it. */
	readonly path: string;
	/** At least one, in the order of the session's file. */
	readonly edits: readonly SessionEdit[];
}

/** Gathers the edits of a session, in steps; `entryId`: only those on the path to that entry. `home`: of the person whose session it is. */
export function* gatherEdits(session: Session, home: string, entryId?: string): Steps<SessionEdits> {
	const { tree, entries } = session;
	const { events, unplaced } = yield* sessionEvents({ session, home, title: "" });
	const active = new Set(pathTo(tree, entryId ?? tree.leafId ?? "").map(({ id }) => id));
	const wantedEvents = entryId === undefined ? events : events.filter((event) => active.has(event.entryId));
	return {
		edits: wantedEvents.flatMap((step) => {
			const edit = editOf(step, active);
			return edit === undefined ? [] : [{ ...edit, timeMs: timeOf(entries[step.index]?.timestamp) }];
		}),
		unplaced,
		commands: wantedEvents.filter(({ act }) => act.kind === "command" && act.hasFailed !== undefined).length,
	};
}

/** What a step of a session changed with `edit` or `write`; `active`: the entries on its path. */
export function editOf(step: SessionEvent | undefined, active: ReadonlySet<string>): SessionEdit | undefined {
	if (step?.act.kind !== "edit" && step?.act.kind !== "write") return undefined;
	const { witness, entryId, endMs: timeMs, turn, act } = step;
	const { path, kind: tool, nth } = act;
	const facts = { session: witness.session.path, entryId, timeMs, path, turn, tool, nth };
	return { ...facts, key: `${entryId} ${timeMs} ${nth} ${path}`, isActive: active.has(entryId) };
}

/**
 * The files that a session has changed with pi's `edit` and `write`, by path; changes by shell commands are not seen. `entryId`: only what was changed on the path to that entry. `home`: of the person whose session it is.
 */
export function filesOf(session: Session, { entryId, home = homedir() }: FilesOptions = {}): readonly EditedFile[] {
	return editedFiles(runToEnd(gatherEdits(session, home, entryId)).edits);
}

interface FilesOptions {
	readonly entryId?: string;
	readonly home?: string;
}

/** The files of edits, by path. */
export function editedFiles(edits: readonly SessionEdit[]): readonly EditedFile[] {
	const files = [...Map.groupBy(edits, ({ path }) => fileKey(path)).values()].map((fileEdits) => ({
		path: fileEdits[0]?.path ?? "",
		edits: fileEdits,
	}));
	return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** An edit of a file without its texts: small, since there may be hundreds of thousands. */
export interface TalliedEdit {
	/** Path of the session's file. */
	readonly session: string;
	readonly entryId: string;
	/** When it was made, Unix ms; NaN if the file does not say. */
	readonly timeMs: number;
	/** Absolute path of the file that was edited. */
	readonly path: string;
	readonly tool: "edit" | "write" | "command";
	/** Number of edits of the same file before it at the same entry. */
	readonly nth: number;
	/** The same for an edit in a session and in its forks, which have a copy of it. */
	readonly key: string;
}

interface SessionTouch {
	readonly session: string;
	/** Oldest first. */
	readonly edits: readonly TalliedEdit[];
}

export interface TouchedFile {
	readonly path: string;
	/** Number of edits and writes. */
	readonly count: number;
	readonly last: TalliedEdit;
	/** Most recent edit first. */
	readonly sessions: readonly SessionTouch[];
}

/**
 * The edited files, the last edited one first. `edits`: in the order of their files, the oldest session first; copies in forks
 * are left out.
 */
export function touchedFiles(edits: readonly TalliedEdit[]): readonly TouchedFile[] {
	const firstSessions = new Map<string, string>();
	const ownEdits = edits.filter(({ key, session, entryId }) => {
		const first = firstSessions.get(key);
		// Without an id, two edits at the same time are still two.
		if (entryId !== "" && first !== undefined && first !== session) return false;
		firstSessions.set(key, session);
		return true;
	});
	const files = [...Map.groupBy(ownEdits, ({ path }) => fileKey(path)).values()].map(fileOf);
	return files.sort((one, other) => orderOf(other.last) - orderOf(one.last) || (one.path < other.path ? -1 : 1));
}

function fileOf(all: readonly TalliedEdit[]): TouchedFile {
	const bySession = Map.groupBy(all, ({ session }) => session);
	const sessions = [...bySession].map(([session, edits]) => ({ session, edits }));
	sessions.sort((one, other) => orderOf(lastOf(other.edits)) - orderOf(lastOf(one.edits)));
	// Of several edits at the same time, the last one of the least recent session is the last.
	const last = lastOf(sessions.flatMap(({ edits }) => edits));
	return { path: last.path, count: all.length, last, sessions };
}

/** The last of at least one edit. */
function lastOf(edits: readonly TalliedEdit[]): TalliedEdit {
	return edits.reduce((last, edit) => (orderOf(edit) >= orderOf(last) ? edit : last));
}

function orderOf({ timeMs }: TalliedEdit): number {
	return Number.isNaN(timeMs) ? 0 : timeMs;
}
