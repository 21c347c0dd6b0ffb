import type { SessionRow } from "../../../catalog/model/row.ts";
import { findRipgrep, RipgrepError } from "../../../catalog/search/find-ripgrep.ts";
import { findEdits, type SessionEdits } from "../../../edits/find-edits.ts";
import type { TalliedEdit } from "../../../edits/session-files.ts";
import { largest } from "../../../shared/columns.ts";
import { TimeSlice } from "../../../shared/steps.ts";
import type { LineChange } from "../../../store/format/tool-change.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutTextStart, lineWidth, textWidth } from "../../../ui/text/width.ts";
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
	take: (edits: SessionEdits) => void,
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

/** "  +12  −3", each column as wide as its widest cell in `all`. */
export function changeSpans(change: LineChange, all: readonly LineChange[]): Line {
	return [...column("+", "added", change, all), ...column("−", "removed", change, all)];
}

/** A line that ends with a path, cut at its start to `columns`; the file's name is whole, also if the line is longer then. */
export function withFileName(head: Line, path: string, columns: number): Line {
	const name = sanitizeLine(path.slice(path.lastIndexOf("/") + 1));
	const least = textWidth(name) + CUT_MARK.length;
	return [...head, span(cutTextStart(sanitizeLine(path), Math.max(columns - lineWidth(head), least)))];
}

/** Stands for the directories of a path if only the file's name fits. */
const CUT_MARK = "…/";

function column(sign: string, which: "added" | "removed", change: LineChange, all: readonly LineChange[]): Span[] {
	const width = largest(all.map((one) => textOf(sign, one[which]).length));
	return [span(`${textOf(sign, change[which]).padStart(width)}  `, which)];
}

function textOf(sign: string, lines: number): string {
	return lines === 0 ? "" : `${sign}${formatCount(lines)}`;
}

/** A time for JSON; null for an unknown one. */
export function isoOf(timeMs: number): string | null {
	return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
}

export function editJson({ entryId, tool, timeMs, added, removed }: Omit<TalliedEdit, "session">): object {
	return { entryId, tool, time: isoOf(timeMs), added, removed };
}
