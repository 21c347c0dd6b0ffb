import type { Kind } from "../query/kinds.ts";

/** A piece of a session's text around what was found, on one line. Raw: sanitise before drawing. */
export interface Snippet {
	readonly text: string;
	/** Places of what was found in `text`, `[start, end)`, ascending. */
	readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** One place in a session where something was found. */
export interface Hit {
	/** 1-based line of the session file. */
	readonly line: number;
	/**
	 * Id of the entry, of the labelled entry for a label; "" when the file gives none (header, version 1): then go by
	 * the line.
	 */
	readonly entryId: string;
	readonly kind: Kind;
	/** Whether the entry is on the path to the leaf; false: on an abandoned branch. */
	readonly active: boolean;
	readonly snippet: Snippet;
}

/** A session in which all terms of the query were found. */
export interface SearchResult {
	readonly path: string;
	/** Sort key, lower is better; between equals the later modified comes first (`compareResults`). */
	readonly rank: number;
	/** The list's sort key, in milliseconds. */
	readonly modified: number;
	/** How many places have been found so far. */
	readonly count: number;
	/** True when there are, or may be, more places than counted. */
	readonly more: boolean;
	/**
	 * The best place. Of many results only the first have a snippet at once; it comes with a later `results` event. Its case
	 * is as stored (lower), and its id "", until the top results are looked up in their files.
	 */
	readonly best: Hit;
}

/** How a search is to be run. */
export interface SearchOptions {
	/**
	 * Which results are looked up in their files, for the entry's id, its branch and the text's own case: the best ones,
	 * as soon as they are known, which are enough for a screen; or all, before the search is done. @default "best"
	 */
	readonly locate?: "best" | "all" | undefined;
}

/** What a search tells while it runs. */
export type SearchEvent =
	/** New results, and results that have changed, to be kept by path. */
	| { readonly type: "results"; readonly results: readonly SearchResult[] }
	/**
	 * `first`: all is told that the first tier (what was said, names, labels, summaries, commands, paths) holds.
	 * `second`: thinking and tool output too. `done`: all counts are complete.
	 * `searched` of `total` sessions had their text stored when the search began; it begins again by itself as more come.
	 */
	| {
			readonly type: "progress";
			readonly phase: "first" | "second" | "done";
			readonly searched: number;
			readonly total: number;
	  }
	/** The query cannot be read, or the search cannot run; one sentence to be shown. */
	| { readonly type: "error"; readonly message: string };

/** The order in which results are shown. */
export function compareResults(a: SearchResult, b: SearchResult): number {
	return a.rank - b.rank || b.modified - a.modified || (a.path < b.path ? -1 : 1);
}
