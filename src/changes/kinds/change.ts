import type { TrashReceipt } from "../../store/actions/trash.ts";
import type { Plan, Undo } from "./kinds.ts";

/**
 * A run of the program; `start`: when it began, Unix ms. `mark`, since 0.2.0, distinguishes its process from a later one with
 * the same pid (`processMark`).
 */
export interface ProgramRun {
	readonly pid: number;
	readonly start: number;
	readonly mark?: string | undefined;
}

/** A change of several sessions at once: changes with the same group id are undone together. */
export interface Group {
	readonly id: string;
	/** "move 12 sessions to the trash" */
	readonly what: string;
	/** How many sessions were to be changed. */
	readonly count: number;
}

export type Fate =
	/** It was made and is still in effect. */
	| "made"
	| "undone"
	| "not-made"
	/** It was a deletion, and a later change that is in effect has restored the session. */
	| "restored"
	/** It was begun, and the journal does not say whether it was made. */
	| "unclear";

/** A change in the journal, whatever became of it. */
export interface Change {
	readonly id: string;
	/** When it was begun, ISO 8601. */
	readonly at: string;
	/** "rename “Lexer” to “Parser”" */
	readonly what: string;
	/** The run of the program that made it; undefined for changes of version 0.1.0. */
	readonly run: ProgramRun | undefined;
	readonly group: Group | undefined;
	/** Id of the change that it makes again, or that put the session into the trash which it restores. */
	readonly of: string | undefined;
	/** Undefined for changes of version 0.1.0. */
	readonly plan: Plan | undefined;
	/** How to undo it; undefined while the journal does not say that it was made. */
	readonly undo: Undo | undefined;
	readonly fate: Fate;
	/** Whether this run of the program made it. */
	readonly isMine: boolean;
	/** When it was undone, ISO 8601; undefined if that is not known. */
	readonly undoneAt: string | undefined;
	/** Where the session that it made is in the trash; undefined if undoing it did not put it there, or it is no longer there. */
	readonly receipt: TrashReceipt | undefined;
}

/** Whether the change is in effect, as far as the journal says, and can be undone as the next one. */
export function isMade({ fate }: Pick<Change, "fate">): boolean {
	return fate === "made" || fate === "unclear";
}

/** Path of the session that a change is about: if it made a new session, that one; "" if it is about none. */
export function pathOf(undo: Undo): string {
	return undo.type === "restore" ? (undo.path ?? undo.receipt.path) : undo.path;
}
