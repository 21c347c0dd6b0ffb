import type { SessionRow } from "../../../catalog/model/row.ts";
import { findRipgrep, RipgrepError } from "../../../catalog/search/find-ripgrep.ts";
import { type FileEdits, findEdits } from "../../../edits/find-edits.ts";
import { TimeSlice } from "../../../shared/steps.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { orMistake, withProgressNote } from "../../print/output.ts";

/** What is missing from the edits that were read. */
export interface EditsRead {
	/** What could not be read: one sentence each, for stderr. */
	readonly unread: readonly string[];
	/** Number of edits with a relative path in a session that does not say its directory. */
	readonly unplaced: number;
}

/**
 * Reads what sessions changed in files; calls `take` for each session, in no particular order. `names`: only sessions that
 * changed a file with one of these names. Rejects with a `Mistake` if ripgrep cannot be used.
 */
export async function readEdits(
	rows: readonly SessionRow[],
	take: (edits: FileEdits) => void,
	names?: readonly string[],
): Promise<EditsRead> {
	const unread: string[] = [];
	let unplaced = 0;
	let text = "Searching …";
	const files = rows.map(({ path, size, modified }) => ({ path, size, modified: modified.getTime() }));
	const read = async (): Promise<EditsRead> => {
		const results = findEdits(files, {
			ripgrep: await findRipgrep(),
			signal: new AbortController().signal,
			timeSlice: new TimeSlice(),
			...(names !== undefined && { names }),
			onProgress: (searched) => {
				text = `Searching: ${formatCount(searched)} of ${formatCounted(rows.length, "session")} …`;
			},
			onUnreadable: (reason) => unread.push(reason),
		});
		for await (const edits of results) {
			take(edits);
			unplaced += edits.unplaced;
			if (edits.unread > 0)
				unread.push(`${edits.path}: ${formatCounted(edits.unread, "line")} that may contain edits cannot be read`);
		}
		return { unread, unplaced };
	};
	return orMistake(
		withProgressNote(read(), () => text),
		RipgrepError,
	);
}

/** A sentence about edits with a relative path in a session that does not say its directory, if there are any. */
export function unplacedNotes(count: number): readonly string[] {
	const edits = formatCounted(count, "edit");
	return count === 0 ? [] : [`${edits} left out: the path is relative, and the session does not say its directory`];
}

/** A reservation that is printed with all lists of edits. */
export const NOT_SEEN = "changes by shell commands are not tracked";

/** A time for JSON; null for an unknown one. */
export function isoOf(timeMs: number): string | null {
	return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
}
