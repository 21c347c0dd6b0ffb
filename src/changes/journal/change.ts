import type { TrashReceipt } from "../../store/actions/trash.ts";
import type { Plan, Undo } from "../kinds/kinds.ts";
import type { Group, Run } from "./journal-schema.ts";

/** What became of a change. */
export type Fate =
	/** It was made, and is as it was made. */
	| "made"
	| "undone"
	| "not-made"
	/** It was made, and is not to be offered any more. */
	| "given-up"
	/** It was begun, and nobody has noted whether it was made. */
	| "unclear";

/** A change of the journal, also one that is over. */
export interface Change {
	readonly id: string;
	/** When it was begun, ISO 8601. */
	readonly at: string;
	/** In words: "rename “Lexer” to “Parser”". */
	readonly what: string;
	/** The run of the program that made it; undefined for one that version 0.1.0 made. */
	readonly run: Run | undefined;
	/** What it is a part of, when the same was done to several sessions at once. */
	readonly group: Group | undefined;
	/** What was going to be done. */
	readonly plan: Plan | undefined;
	/** How to undo it; undefined while nobody has noted that it was made. */
	readonly undo: Undo | undefined;
	readonly fate: Fate;
	/** Whether this run of the program made it. */
	readonly isMine: boolean;
	/** When it was undone, ISO 8601; undefined where that is not known. */
	readonly undoneAt: string | undefined;
	/** Where the trash has the session that it made, after it was undone. */
	readonly receipt: TrashReceipt | undefined;
}

/** Whether it stands as it was made, as far as is known. */
export function isMade({ fate }: Pick<Change, "fate">): boolean {
	return fate === "made" || fate === "unclear";
}

/** The session that a change is about: for one that made a new session, that one; "" where it is about none. */
export function pathOf(undo: Undo): string {
	return undo.type === "restore" ? undo.receipt.path : undo.path;
}
