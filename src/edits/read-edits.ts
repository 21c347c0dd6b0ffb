import type { SessionRow } from "../catalog/model/row.ts";
import { findRipgrep } from "../catalog/search/find-ripgrep.ts";
import { TimeSlice } from "../shared/steps.ts";
import { formatCounted } from "../ui/text/format.ts";
import { type FileEdits, findEdits } from "./find-edits.ts";

/** What is missing from the edits that were read. */
export interface EditsRead {
	/** What could not be read: one sentence each, for stderr. */
	readonly unread: readonly string[];
	/** Number of edits with a relative path in a session that does not say its directory. */
	readonly unplaced: number;
}

export interface ReadEditsOptions {
	/** Only sessions that changed a file with one of these names. @default all */
	readonly names?: readonly string[];
	/** Called with the number of sessions searched so far. */
	readonly onProgress?: ((searched: number) => void) | undefined;
	/** Ends the search. */
	readonly signal?: AbortSignal;
	readonly slice?: TimeSlice;
}

/**
 * Reads what sessions changed in files; calls `take` for each session, in no particular order. Rejects with a `RipgrepError` if ripgrep
 * cannot be used.
 */
export async function readEdits(
	rows: readonly SessionRow[],
	take: (edits: FileEdits) => void,
	{ signal = new AbortController().signal, slice = new TimeSlice(signal), ...options }: ReadEditsOptions = {},
): Promise<EditsRead> {
	const unread: string[] = [];
	let unplaced = 0;
	if (rows.length === 0) return { unread, unplaced };
	const files = rows.map(({ path, size, modified }) => ({ path, size, modified: modified.getTime() }));
	const results = findEdits(files, {
		...options,
		ripgrep: await findRipgrep(),
		signal,
		timeSlice: slice,
		onUnreadable: (reason) => unread.push(reason),
	});
	for await (const edits of results) {
		take(edits);
		unplaced += edits.unplaced;
		if (edits.unread > 0)
			unread.push(`${edits.path}: ${formatCounted(edits.unread, "line")} that may contain edits cannot be read`);
	}
	return { unread, unplaced };
}
