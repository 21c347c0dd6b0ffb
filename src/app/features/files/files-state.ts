import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import type { EditedFile, SessionEdits } from "../../../edits/session-files.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { FIRST_CURSOR, type PageCursor } from "../../../ui/page/page-rows.ts";
import { defineSlice } from "../../world/state/state.ts";

/** The page of the files that the open session has changed. */
export interface FilesState {
	readonly cursor: PageCursor;
	/** Paths of the files whose edits are shown. */
	readonly opened: ReadonlySet<string>;
	/** What was found last, and in which state of the session. */
	readonly found: FoundFiles | undefined;
	/** The session whose edits are being gathered. */
	readonly gathering: Session | undefined;
	/** Whether the diff of a file is of all its edits together, instead of one edit after the other. */
	readonly isSummed: boolean;
	/** What all edits of a file come to, by its path, as far as it was asked for; of `found`. */
	readonly sums: ReadonlyMap<string, FileSum>;
	/** The file whose edits are being summed up. */
	readonly summing: EditedFile | undefined;
	/** Rows of the diff above its pane. */
	readonly scrolled: number;
}

/** The files of a session. */
export interface FoundFiles extends Omit<SessionEdits, "edits"> {
	readonly session: Session;
	readonly files: readonly EditedFile[];
}

/** The diff of all edits of a file together; without `lines` it cannot be had. */
export interface FileSum {
	readonly lines?: readonly DiffLine[];
	/** Why it may not be all, or cannot be had; "" if it is exact. */
	readonly why: string;
}

export const FILES = defineSlice<FilesState>("files", {
	cursor: FIRST_CURSOR,
	opened: new Set(),
	found: undefined,
	gathering: undefined,
	isSummed: true,
	sums: new Map(),
	summing: undefined,
	scrolled: 0,
});
