import type { Kind } from "../query/kinds.ts";
import type { OtherForm } from "../query/other-forms.ts";
import type { Snippet } from "../query/snippet.ts";

/** One entry of a session in which something was found. */
export interface Hit {
	/** 1-based line of the session file. */
	readonly line: number;
	/**
	 * Id of the entry; for a label, that of the labeled entry; "" if the file has none (header, version 1): then use
	 * the line.
	 */
	readonly entryId: string;
	readonly kind: Kind;
	/** Whether the entry is on the path to the leaf; false on an abandoned branch. */
	readonly active: boolean;
	readonly snippet: Snippet;
}

/** A session in which all terms of the query were found. */
export interface SearchResult {
	readonly path: string;
	/** Sort key, lower is better; among equals, the one modified later comes first (`compareResults`). */
	readonly rank: number;
	/** The list's sort key, in milliseconds. */
	readonly modified: number;
	/** Entries with a hit that were found so far. */
	readonly count: number;
	/** Whether there are, or may be, more than counted. For visible sessions all are counted. */
	readonly more: boolean;
	/**
	 * The entry with the most terms; among several, the best ranked, preferably not the title. Its `active` is
	 * determined once all are counted. If nothing was found in an entry, it has no text.
	 */
	readonly best: Hit;
	/** The words that are there only in other forms; undefined where all are as typed. */
	readonly other?: readonly OtherForm[] | undefined;
}

/** The hits in one session that was searched to its end. */
export interface SessionHits {
	/** All entries that contain some of the terms, in file order. */
	readonly hits: readonly Hit[];
	/** As in `SearchResult`, but final; undefined unless the session contains all terms. */
	readonly best: Hit | undefined;
}

/** For a session without hits. */
export const NO_HITS: SessionHits = { hits: [], best: undefined };

/** A file to be searched. */
export interface SearchFile {
	readonly path: string;
	/** In bytes. */
	readonly size: number;
	/** The list's sort key, in milliseconds: files are searched and shown in this order. */
	readonly modified: number;
	/** Where a word without a field may also match: the file's path and the session's id. */
	readonly aliases?: readonly string[] | undefined;
	/** Whether it may have letters with accents; undefined if unknown. */
	readonly accents?: boolean | undefined;
}

/** What a search emits while it runs. */
export type SearchEvent =
	/** New or changed results. Each replaces the earlier one with its path. */
	| { readonly type: "results"; readonly results: readonly SearchResult[] }
	/** Sessions that no longer match. */
	| { readonly type: "lost"; readonly paths: readonly string[] }
	/**
	 * Nothing more comes for now: all known sessions have been searched, and the visible ones to their end. `watched`: the
	 * number of the last call of `watchVisible`.
	 */
	| { readonly type: "settled"; readonly watched: number }
	/** How many of the known sessions were searched; equal numbers mean that all results are known, but maybe not final. */
	| { readonly type: "progress"; readonly searched: number; readonly total: number }
	/** The search cannot run or is incomplete; one sentence to show. */
	| { readonly type: "error"; readonly message: string };

/** The order in which results are shown. */
export function compareResults(a: SearchResult, b: SearchResult): number {
	return a.rank - b.rank || b.modified - a.modified || (a.path < b.path ? -1 : 1);
}
