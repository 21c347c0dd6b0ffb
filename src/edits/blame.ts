import type { LineEvents } from "./line-events.ts";

/** A commit, with the facts that show when a line was written. */
export interface BlamedCommit {
	readonly hash: string;
	/** Author and committer date; Unix ms, to the second. */
	readonly authorMs: number;
	readonly committedMs: number;
	readonly author: string;
	readonly summary: string;
	/** Whether the history before it is missing, as in a shallow clone. */
	readonly isCutOff: boolean;
	/** When commits before it changed the same file, Unix ms, to the second. */
	readonly earlierMs: readonly number[];
}

/** A line of a file, and the commit that Git names for it; undefined if it is not committed yet. */
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
	/** Whether the session had been shown this line before, so that a `write` may have only kept it. */
	readonly hadSeen: (line: string) => boolean;
}

/** Who wrote a line: one session, several that may have, or none that is known. */
export interface Answer {
	readonly answer: "exact" | "candidates" | "unknown";
	/** One edit of each session, the likeliest first; one if the answer is exact, none if it is unknown. */
	readonly edits: readonly KnownEdit[];
	/** The reason for the answer, or why there is no better one. */
	readonly why: string;
}

/** The facts that the answers for a file are based on. */
export interface BlameFacts {
	/** All lines of the file. */
	readonly lines: readonly BlamedLine[];
	/** Oldest first. */
	readonly edits: readonly KnownEdit[];
	/** When commits up to HEAD changed the file, Unix ms, to the second: for lines that are not committed yet. */
	readonly committedMs: readonly number[];
	/** By line, the commits up to HEAD that added it to the file. */
	readonly addedBy: ReadonlyMap<string, readonly Pick<BlamedCommit, "hash" | "authorMs">[]>;
	/** Whether some of the sessions could not be read. */
	readonly isPartial: boolean;
	/** Unix ms. */
	readonly now: number;
}
