import type { LineChange } from "../entries/change-spans.ts";

/** What was said or done, and where it stands. */
export interface DigestItem {
	readonly entryId: string;
	/** Number of its turn on its path, from 1; 0 before the first prompt. */
	readonly turn: number;
	/** On one line, not sanitized. */
	readonly text: string;
}

/**
 * A file that was edited with pi's tools; once the ledger was asked, each that was changed, with the lines of its patch (`pi-grove diff`), but
 * for those of a file that only other branches edited.
 */
export interface DigestFile extends Partial<LineChange> {
	/** Relative to the session's directory. */
	readonly path: string;
	/** Id of the entry of its last edit. */
	readonly entryId: string;
	/** Whether it was changed on the active path; else only on other branches. */
	readonly isActive: boolean;
}

/** A step or an answer that failed. */
export interface DigestFailure extends DigestItem {
	/** "✗ exit 1" */
	readonly outcome: string;
	/** The line of its output that says why; "" for none. */
	readonly said: string;
	readonly isActive: boolean;
	/** When the same command, the same call or any answer succeeded below it; undefined if none has. */
	readonly mended: Omit<DigestItem, "text"> | undefined;
}

interface DigestAnswer extends DigestItem {
	/** The beginning of its text as it was written, Markdown. */
	readonly beginning: string;
	readonly isWhole: boolean;
}

/** What a session is about, without a model: what was asked, what came of it, and what is open. */
export interface Digest {
	/** The prompts of the active path. */
	readonly asked: readonly DigestItem[];
	/** In the order in which they were first changed, those of the active path first. */
	readonly changed: readonly DigestFile[];
	/** The last failure of the active path; without one, that of other branches. */
	readonly failed: DigestFailure | undefined;
	/** The last answer of the active path that says something. */
	readonly answer: DigestAnswer | undefined;
	/** How the conversation ends, if it waits for the person, and what the last answer leaves to be done. */
	readonly open: readonly DigestItem[];
}
