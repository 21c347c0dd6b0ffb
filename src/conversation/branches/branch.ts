import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Sum } from "../entries/turn-sum.ts";

/**
 * One way through a session's tree, from where it left another one to its end. At a fork one child goes on with the way (the
 * active one, else the one with the most in it), the others begin ways of their own: so every entry is on exactly one.
 */
export interface Branch {
	/** Id of its last entry: the end; of the trunk, the first fork. */
	readonly id: string;
	/** The trunk is what all ends of the active path's tree have in common: from the root to the first fork. */
	readonly kind: "active" | "abandoned" | "trunk";
	/** Its own entries, oldest first, at least one; bookkeeping that hangs beside them is not among them. */
	readonly path: readonly SessionEntry[];
	/** Index of the branch that it left; undefined where it begins at a root. Parents come before their children. */
	readonly parent: number | undefined;
	/** Index of the fork in the parent's path. */
	readonly forkAt: number;
	/** The sum over its own entries and, off the active path, over the bookkeeping beside them. */
	readonly sum: Sum;
	/** How many entries it has, with all bookkeeping beside them. */
	readonly entries: number;
	/** What it is called by: its first prompt; where it has none, the prompt before it, "again: Try the cache". Not yet cleaned. */
	readonly name: string;
	/** Its last prompt, if it has several. */
	readonly lastPrompt: string | undefined;
	/** The last words of its last answer, or how it ended; "" when there is nothing to tell. */
	readonly lastWords: string;
	/** The label on the last of its entries that has one. */
	readonly label: string | undefined;
	/** The prompt that was answered at its fork. */
	readonly before: string | undefined;
	readonly firstPrompt: string | undefined;
	/** All of its prompts, in lower case. */
	readonly prompts: string;
	/** What a filter looks in, in lower case. */
	readonly words: string;
}

export interface Branches {
	readonly session: Session;
	/** How many of the session's entries are among them: its list may have grown with a later reading. */
	readonly entries: number;
	readonly list: readonly Branch[];
	/** Id of its last entry → index in `list`. */
	readonly indexes: ReadonlyMap<string, number>;
	/** How many entries, and roots, have more than one child with a conversation. */
	readonly forks: number;
	readonly ends: number;
}
