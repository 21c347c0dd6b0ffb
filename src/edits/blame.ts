import type { LineEvents } from "./line-events.ts";

/** A commit, as far as it tells when a line was written. */
export interface BlamedCommit {
	readonly hash: string;
	/** When it was made first, and when it was made as it is; Unix ms, to the second. */
	readonly authorMs: number;
	readonly committedMs: number;
	readonly author: string;
	readonly summary: string;
	/** What was before it is not there: the history was cut off (a shallow clone). */
	readonly isCutOff: boolean;
	/** When commits before it changed the same file, Unix ms, to the second. */
	readonly earlierMs: readonly number[];
}

/** A line of a file, and the commit that Git names for it; undefined where it is in none yet. */
export interface BlamedLine {
	/** 1-based. */
	readonly number: number;
	readonly text: string;
	readonly commit: BlamedCommit | undefined;
}

/** An edit of the file by a session. */
export interface KnownEdit {
	/** Path of the session's file. */
	readonly session: string;
	readonly entryId: string;
	readonly timeMs: number;
	readonly tool: "edit" | "write";
	/** The file that was edited, absolute. */
	readonly path: string;
	/** False for a file with the same name in a directory that may be another copy of the project. */
	readonly isHere: boolean;
	readonly events: LineEvents;
	/** Whether the session had been shown this line before, so that a `write` may only have kept it. */
	readonly hadSeen: (line: string) => boolean;
}

/** Who wrote a line: one session, some that may have, or nobody that is known. */
export interface Answer {
	readonly answer: "exact" | "candidates" | "unknown";
	/** One edit of each session, the likeliest first: exactly one where the answer is exact, none where it is unknown. */
	readonly edits: readonly KnownEdit[];
	/** What the answer rests on, or why there is no better one. */
	readonly why: string;
}

/** What all answers of a file rest on. */
export interface BlameFacts {
	/** All lines of the file. */
	readonly lines: readonly BlamedLine[];
	/** Oldest first. */
	readonly edits: readonly KnownEdit[];
	/** When the commits up to the present one changed the file, Unix ms, to the second: for lines that are in none yet. */
	readonly committedMs: readonly number[];
	/** By line, the commits of the present history that added it to the file. */
	readonly addedBy: ReadonlyMap<string, readonly Pick<BlamedCommit, "hash" | "authorMs">[]>;
	/** Something of the sessions could not be read. */
	readonly isPartial: boolean;
	/** Unix ms. */
	readonly now: number;
}
