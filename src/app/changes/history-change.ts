import type { TrashReceipt } from "../../store/actions/trash.ts";
import type { Change } from "../journal/change.ts";

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
export interface HistoryChange extends Change {
	readonly fate: Fate;
	/** Whether this run of the program made it. */
	readonly isMine: boolean;
	/** When it was undone, ISO 8601; undefined where that is not known. */
	readonly undoneAt: string | undefined;
	/** Where the trash has the session that it made, after it was undone. */
	readonly receipt: TrashReceipt | undefined;
}

/** The changes that the journal tells of, as far as they have been read: newest first. */
export interface HistoryPart {
	readonly changes: readonly HistoryChange[];
	/** Whether these are all. */
	readonly complete: boolean;
}

/** What a person is told of an undo, or of doing it again, before they ask for it. */
export type Outlook =
	/** Nothing stands in the way. */
	| { readonly kind: "clear" }
	/** It asks first: why. */
	| { readonly kind: "ask"; readonly why: string }
	/** It cannot be: why. */
	| { readonly kind: "refuse"; readonly why: string };

/** Whether it stands as it was made, as far as is known. */
export function isMade({ fate }: HistoryChange): boolean {
	return fate === "made" || fate === "unclear";
}
