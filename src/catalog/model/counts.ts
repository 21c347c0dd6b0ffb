import type { RewindFacts } from "../../store/tree/rewind.ts";
import type { Ending } from "./ending.ts";

/** A leaf that was moved away from the end of the conversation. */
export interface Rewound extends RewindFacts {
	/** The type of the entry that moved it: "session_info", "label", "custom" or "usage". */
	readonly by: string;
	/** When it was written, Unix ms; 0 where that is not known. */
	readonly byMs: number;
	/** Id of the entry after which the conversation goes on again. */
	readonly endId: string;
}

/** What a list shows of a session besides its row, and every line must be parsed for; as far as it was counted last. */
export interface SessionCounts {
	/** Prompts, on all branches. */
	readonly turns: number;
	/** Ends of the conversation: 1 where it never forked. */
	readonly branches: number;
	/** Steps that failed, and answers that did. */
	readonly errors: number;
	/** Input, output and both kinds of cached tokens of all answers in the file, those that a fork has copied included. */
	readonly tokens: number;
	/** The same in dollars. */
	readonly cost: number;
	/** Entries that have a label. */
	readonly labels: number;
	/** The model that answered last; "" where none did. */
	readonly model: string;
	/** How the conversation stands at the leaf. */
	readonly ending: Ending;
	/** When the last thing on the path to the leaf was said, Unix ms; 0 where that is not known. */
	readonly endedMs: number;
	/** Where pi goes on, if a name, a label or the like has moved the leaf. */
	readonly rewound?: Rewound | undefined;
}

export const NOTHING_IN_IT: SessionCounts = {
	turns: 0,
	branches: 0,
	errors: 0,
	tokens: 0,
	cost: 0,
	labels: 0,
	model: "",
	ending: "",
	endedMs: 0,
};

/** What was found in a file besides, in a state that its size tells. */
interface FileLetters {
	readonly size: number;
	/** Whether it may have letters with accents; undefined where that is not known of this state. */
	readonly accents: boolean | undefined;
}

/** What was counted of some sessions, by path. */
export type CountedSessions = readonly (readonly [path: string, counts: SessionCounts, letters?: FileLetters])[];
