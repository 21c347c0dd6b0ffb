import { RipgrepError } from "../../../catalog/search/find-ripgrep.ts";
import type { LineChange } from "../../../conversation/entries/change-spans.ts";
import { largest } from "../../../shared/columns.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { orMistake, withProgressNote } from "../../print/output.ts";

/**
 * Reads edits of `count` sessions, with a note of how far that is. Rejects with a `Mistake` if ripgrep cannot be used. `read`: calls back
 * with the number of sessions that were searched.
 */
export function readWithNote<Result>(
	count: number,
	read: (onProgress: (searched: number) => void) => Promise<Result>,
): Promise<Result> {
	let text = "Searching …";
	const reading = read((searched) => {
		text = `Searching: ${formatCount(searched)} of ${formatCounted(count, "session")} …`;
	});
	return orMistake(
		withProgressNote(reading, () => text),
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

/** "  +12  −3", each column as wide as its widest cell in `all`; blank for what is zero or not known. */
export function changeColumns(change: Partial<LineChange>, all: readonly Partial<LineChange>[]): Line {
	return (
		[
			["+", "added"],
			["−", "removed"],
		] as const
	).map(([sign, which]) => {
		const textOf = ({ [which]: lines = 0 }: Partial<LineChange>): string =>
			lines === 0 ? "" : `${sign}${formatCount(lines)}`;
		return span(`${textOf(change).padStart(largest(all.map((one) => textOf(one).length)))}  `, which);
	});
}
