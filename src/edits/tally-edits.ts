import { fieldsOf } from "../conversation/entries/fields.ts";
import { addChange, type LineChange, lineChange } from "../store/format/tool-change.ts";
import type { FileEdit } from "./edit-collector.ts";

/** An edit of a file without its texts: small, since there may be hundreds of thousands. */
export interface TalliedEdit extends LineChange {
	/** Path of the session's file. */
	readonly session: string;
	readonly entryId: string;
	/** When it was made, Unix ms; NaN if the file does not say. */
	readonly timeMs: number;
	/** Absolute path of the file that was edited. */
	readonly path: string;
	readonly tool: "edit" | "write";
	/** The same in a session and in its forks, which have a copy of it. */
	readonly key: string;
}

/** The changes of one session to one file. */
interface SessionTouch extends LineChange {
	readonly session: string;
	/** Oldest first. */
	readonly edits: readonly TalliedEdit[];
}

/** A file that sessions have edited or written. */
export interface TouchedFile extends LineChange {
	readonly path: string;
	/** Number of edits and writes. */
	readonly count: number;
	/** The last edit. */
	readonly last: TalliedEdit;
	/** Most recent edit first. */
	readonly sessions: readonly SessionTouch[];
}

/** Tallies an edit, with the added and removed lines that the browser shows. */
export function tallied(edit: FileEdit, session: string): TalliedEdit {
	const { entryId, timestamp, timeMs, path, change, args, details } = edit;
	const { added, removed } = lineChange(change.tool, fieldsOf(args), details) ?? { added: 0, removed: 0 };
	const key = `${entryId} ${timestamp} ${path}`;
	return { session, entryId, timeMs, path, tool: change.tool, added, removed, key };
}

/**
 * The edited files, the last edited one first. `edits`: in the order of their files, the oldest session first; copies in forks
 * are left out.
 */
export function touchedFiles(edits: readonly TalliedEdit[]): readonly TouchedFile[] {
	const byFile = new Map<string, Map<string, TalliedEdit[]>>();
	const seen = new Map<string, string>();
	for (const edit of edits) {
		const first = seen.get(edit.key);
		// Without an id, two edits at the same time are still two.
		if (edit.entryId !== "" && first !== undefined && first !== edit.session) continue;
		seen.set(edit.key, edit.session);
		const sessions = byFile.get(edit.path) ?? new Map<string, TalliedEdit[]>();
		byFile.set(edit.path, sessions);
		const own = sessions.get(edit.session);
		if (own) own.push(edit);
		else sessions.set(edit.session, [edit]);
	}
	const files = [...byFile].map(([path, sessions]) => fileOf(path, sessions));
	return files.sort((one, other) => orderOf(other.last) - orderOf(one.last) || (one.path < other.path ? -1 : 1));
}

function fileOf(path: string, bySession: ReadonlyMap<string, readonly TalliedEdit[]>): TouchedFile {
	const sessions = [...bySession].map(([session, edits]) => ({ session, edits, ...sumOf(edits) }));
	sessions.sort((one, other) => orderOf(lastOf(other.edits)) - orderOf(lastOf(one.edits)));
	const all = sessions.flatMap(({ edits }) => edits);
	return { path, count: all.length, last: lastOf(all), sessions, ...sumOf(all) };
}

/** The added and the removed lines of several edits. */
export function sumOf(edits: readonly LineChange[]): LineChange {
	return edits.reduce<LineChange>(addChange, { added: 0, removed: 0 });
}

/** The last of at least one edit. */
function lastOf(edits: readonly TalliedEdit[]): TalliedEdit {
	return edits.reduce((last, edit) => (orderOf(edit) >= orderOf(last) ? edit : last));
}

function orderOf({ timeMs }: TalliedEdit): number {
	return Number.isNaN(timeMs) ? 0 : timeMs;
}
