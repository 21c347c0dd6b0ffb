import type { RewindFacts } from "../../store/tree/rewind.ts";
import type { Spent } from "../branches/branch-tracker.ts";
import type { RunReport } from "../families/run-report.ts";
import type { StartedPi } from "../families/started-pi.ts";
import type { Ending } from "./ending.ts";

/** A leaf that was moved back from the end of the conversation. */
export interface Rewound extends RewindFacts {
	/** The type of the entry that moved it: "session_info", "label", "custom" or "usage". */
	readonly by: string;
	/** When that entry was written, Unix ms; 0 if unknown. */
	readonly byMs: number;
	/** Id of the entry that ends the conversation, to continue from. */
	readonly endId: string;
}

/** What a list shows of a session besides its row, for which every line must be parsed; as of the last count. */
export interface SessionCounts {
	/** Prompts on the path to the leaf. */
	readonly turns: number;
	/** Ends of the conversation: 1 if it never forked. */
	readonly branches: number;
	/** Tools, commands and answers on the path to the leaf that failed. */
	readonly errors: number;
	/** What is not on the path to the leaf; undefined for nothing. `tokens` and `cost` include theirs. */
	readonly onBranches?: BranchCounts | undefined;
	/**
	 * Input, output and both kinds of cached tokens of all answers in the file, including copies in a fork. The usage that results
	 * report for runs of subagents is in `runs`.
	 */
	readonly tokens: number;
	/** In dollars, of the same answers. */
	readonly cost: number;
	/** How many entries have a cost that cannot be true: it is not in `cost`. Undefined for none. */
	readonly unpriced?: number | undefined;
	/** The part of both that a fork has copied from its parent; undefined for none. */
	readonly copied?: Spent;
	/** The part of both that counts for another session in sums of several; undefined for none. */
	readonly elsewhere?: Spent | undefined;
	/** Working time of the model and its tools on all branches, without what counts for another session; undefined for none. */
	readonly workedMs?: number | undefined;
	readonly labels: number;
	/** The model that answered last; "" if none did. */
	readonly model: string;
	readonly ending: Ending;
	/** Time of the last message on the path to the leaf, Unix ms; 0 if unknown. */
	readonly endedMs: number;
	/** Where pi continues, if a name, a label or the like has moved the leaf. */
	readonly rewound?: Rewound | undefined;
	/** The runs of subagents that it started, as its own entries report them; a fork does not include its parent's. Undefined for none. */
	readonly runs?: readonly RunReport[];
	/** The commands of its tools that start pi without a screen; undefined for none. */
	readonly started?: readonly StartedPi[];
	/** Results that report more for several runs together than `runs` has for each; undefined for none. */
	readonly reported?: readonly ReportedTogether[] | undefined;
}

/** What is counted of the entries that are not on the path to the leaf. */
interface BranchCounts extends Spent {
	readonly turns: number;
	/** Tools, commands and answers that failed. */
	readonly errors: number;
}

/** The usage that a result reports for several runs together. */
export interface ReportedTogether extends Spent {
	readonly keys: readonly string[];
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

export type CountedSessions = readonly (readonly [path: string, counts: SessionCounts])[];
