import { normalDirectory } from "../../shared/paths.ts";
import { fileName, type SessionRow } from "./row.ts";

/**
 * One kind of mark: by session id, then by file (`markedFile`). What stands under "" is of all files with that id that are not named:
 * early versions named none. A mark that was taken from one of these is there as `false`, [] or no time.
 */
export type ByFile<Value> = ReadonlyMap<string, ReadonlyMap<string, Value>>;

/** What the person has said of a line that a session shows, for its agent. */
export interface Comment {
	readonly key: string;
	readonly text: string;
	/** When it was written or changed, Unix ms. */
	readonly atMs: number;
	/** The entry that shows the line: for one that was added or removed, the step that did it. */
	readonly entry: string;
	/** Absolute path of its file; undefined for a line of the conversation. */
	readonly path?: string | undefined;
	/** Its number, from 1; if it was removed, in the file before. Of several lines, that of the first. */
	readonly line?: number | undefined;
	/** Number of lines that it is about. @default 1 */
	readonly count?: number | undefined;
	readonly kind: "same" | "added" | "removed";
	/** The lines with those around them, by which they are found again, and the index of the first one. */
	readonly lines: readonly string[];
	readonly index: number;
	/** When it was sent to an agent, Unix ms. */
	readonly sentMs?: number | undefined;
}

/** Pins, tags, “done” marks and comments of the person. Archiving is not a mark: the path of the file shows it. */
export interface Marks {
	readonly pinned: ByFile<boolean>;
	/** In alphabetical order. */
	readonly tags: ByFile<readonly string[]>;
	/**
	 * The sessions that need nothing more although they end with a question or were stopped, with the time of their last message, Unix
	 * ms: a later one counts again.
	 */
	readonly done: ByFile<number>;
	/** In the order in which they were written. */
	readonly comments: ByFile<readonly Comment[]>;
}

export const NO_MARKS: Marks = { pinned: new Map(), tags: new Map(), done: new Map(), comments: new Map() };

/** In `Marks.done`: not done. */
export const NEVER: number = Number.NEGATIVE_INFINITY;

export type Marked = Pick<SessionRow, "id" | "path" | "cwd">;

/**
 * Names the file of a session, beside its id: programs that choose the id have the same one in several projects. It is what stays when
 * a file is archived, restored or moved by hand: the project in its header, and its own name, without the directory that it is in.
 */
export function markedFile({ path, cwd }: Omit<Marked, "id">): string {
	return `${normalDirectory(cwd)}/${fileName(path)}`;
}

export function isPinned(row: Marked, { pinned }: Pick<Marks, "pinned">): boolean {
	return markOf(row, pinned) ?? false;
}

/** Its tags, in alphabetical order. */
export function sessionTags(row: Marked, { tags }: Pick<Marks, "tags">): readonly string[] {
	return markOf(row, tags) ?? [];
}

export function isPinnedOrTagged(row: Marked, marks: Pick<Marks, "pinned" | "tags">): boolean {
	return isPinned(row, marks) || sessionTags(row, marks).length > 0;
}

/** Up to which message, Unix ms, the session needs nothing more; `NEVER` if the person has not said so. */
export function doneUntil(row: Marked, { done }: Pick<Marks, "done">): number {
	return markOf(row, done) ?? NEVER;
}

export const NO_COMMENTS: readonly Comment[] = [];

/** The same list as long as nothing of it changes. */
export function sessionComments(row: Marked, { comments }: Pick<Marks, "comments">): readonly Comment[] {
	return markOf(row, comments) ?? NO_COMMENTS;
}

/** The lines that a comment is about. */
export function commentedTexts({ lines, index, count = 1 }: Comment): readonly string[] {
	return lines.slice(index, index + count);
}

export function isUnsent({ sentMs }: Comment): boolean {
	return sentMs === undefined;
}

/** The comments that were not sent. */
export function waitingComments(row: Marked, marks: Pick<Marks, "comments">): readonly Comment[] {
	return sessionComments(row, marks).filter(isUnsent);
}

function markOf<Value>(row: Marked, marks: ByFile<Value>): Value | undefined {
	const files = marks.get(row.id);
	return files && (files.get(markedFile(row)) ?? files.get(""));
}
