import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Sum } from "../entries/turn-sum.ts";
import type { WordCounts } from "./prompt-words.ts";

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
	/** What was asked, in a few words, as "retry → cache → deep". */
	readonly name: string;
	/** The last words of its last answer, or how it ended; "" when there is nothing to tell. */
	readonly lastWords: string;
	/** The label on the last of its entries that has one. */
	readonly label: string | undefined;
	/** What its name is made of. */
	readonly prompts: Prompts;
	/** What a filter looks in, in lower case. */
	readonly words: string;
}

/** The prompts of a branch that may be in its name. */
export interface Prompts {
	readonly first: readonly string[];
	readonly last: string | undefined;
	readonly count: number;
	/** The prompt that was answered at its fork. */
	readonly before: string | undefined;
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
	readonly counts: WordCounts;
}

/** Two paths from the last entry that they have in common. */
interface Parting {
	/** The last entry of both; undefined where they begin at different roots. */
	readonly ancestor: SessionEntry | undefined;
	/** What comes after it on each. */
	readonly left: readonly SessionEntry[];
	readonly right: readonly SessionEntry[];
}

/** A part of a branch: its entries up to this index belong to the path. */
interface PathPart {
	readonly branch: number;
	readonly to: number;
}

/** Where the paths to the ends of two branches part. */
export function partingOf({ list }: Branches, firstBranch: number, secondBranch: number): Parting {
	const ours = partsTo(list, firstBranch);
	const theirs = partsTo(list, secondBranch);
	const shared = ours.findLastIndex(({ branch }, index) => theirs[index]?.branch === branch);
	const last = ours[shared];
	const to = Math.min(last?.to ?? -1, theirs[shared]?.to ?? -1);
	const rest = (parts: readonly PathPart[]): SessionEntry[] =>
		parts.slice(Math.max(0, shared)).flatMap((part, index) => {
			const from = shared >= 0 && index === 0 ? to + 1 : 0;
			return list[part.branch]?.path.slice(from, part.to + 1) ?? [];
		});
	const ancestor = last === undefined ? undefined : list[last.branch]?.path[to];
	return { ancestor, left: rest(ours), right: rest(theirs) };
}

/** The parts that make up the path to the end of a branch, from the root on. */
function partsTo(list: readonly Branch[], index: number): PathPart[] {
	const parts: PathPart[] = [];
	let to = Number.POSITIVE_INFINITY;
	for (let at: number | undefined = index; at !== undefined; ) {
		const branch: Branch | undefined = list[at];
		if (branch === undefined) break;
		parts.push({ branch: at, to: Math.min(to, branch.path.length - 1) });
		to = branch.forkAt;
		at = branch.parent;
	}
	return parts.reverse();
}
