import type { CommitName } from "./repository.ts";

/** A commit, with the facts that show when a line was written. */
export interface BlamedCommit extends CommitName {
	/** What `git blame --porcelain` says of it, by name: "author-mail", "previous", …. */
	readonly headers: ReadonlyMap<string, string>;
}

/** Lines of a file: the first and the last, from 1. */
export interface FileSpan {
	readonly from: number;
	readonly to: number;
}

/** A line of a file, and the commit that Git names for it; undefined if it is not committed yet. */
export interface BlamedLine {
	/** 1-based. */
	readonly number: number;
	readonly text: string;
	readonly commit: BlamedCommit | undefined;
	/** Where it is in that commit: the path in the repository, and its number there. */
	readonly origin?: { readonly path: string; readonly number: number };
}

/** An edit that wrote, or may have written, a line. */
export interface LineEdit {
	/** Path of the session's file. */
	readonly session: string;
	/** "" if only the session is known. */
	readonly entryId: string;
	/** Unix ms; NaN if it is not known. */
	readonly timeMs: number;
	/** "command": of the shell; "other": none of its edits has the line; what the commit says names the session. */
	readonly tool: "edit" | "write" | "command" | "other";
	/** The file that was edited, absolute. */
	readonly path: string;
	/** False for a file with the same name in a directory that may be another copy of the project. */
	readonly isHere: boolean;
}

/** Who wrote a line: one session, several that may have, or none that is known. */
export interface BlameAnswer<Edit extends LineEdit = LineEdit> {
	readonly answer: "exact" | "candidates" | "unknown";
	/** One edit of each session, the likeliest first; one if the answer is exact, none if it is unknown. */
	readonly edits: readonly Edit[];
	/** The reason for the answer, or why there is no better one. */
	readonly why: string;
	/** What of the commit names the session: "git-ai note", or the key of a trailer. */
	readonly source?: string;
}

/** The answer if several sessions may have written a line, or one that is not certain. */
export function candidates<Edit extends LineEdit>(edits: readonly Edit[], why: string): BlameAnswer<Edit> {
	return { answer: "candidates", edits: onePerSession(edits), why };
}

/** The last edit of each session: those of this very file first, then the latest first. */
function onePerSession<Edit extends LineEdit>(edits: readonly Edit[]): readonly Edit[] {
	const ordered = edits.toSorted(
		(one, other) => Number(other.isHere) - Number(one.isHere) || (other.timeMs || 0) - (one.timeMs || 0),
	);
	const seenSessions = new Set<string>();
	return ordered.filter(({ session }) => !seenSessions.has(session) && seenSessions.add(session));
}
