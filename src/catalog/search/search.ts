import { type SessionRow, saidFirst } from "../model/row.ts";
import type { Kind } from "../query/kinds.ts";
import type { OtherForm } from "../query/other-forms.ts";
import { agedBy } from "../query/relevance.ts";
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
	/** Sort key, lower is better; older sessions lose a little, and of equals, the one modified later comes first (`compareResults`). */
	readonly rank: number;
	/** The list's sort key, in milliseconds. */
	readonly modified: number;
	/** Entries with a hit that were found so far. */
	readonly count: number;
	/** Whether there are, or may be, more than counted. For visible sessions all are counted. */
	readonly more: boolean;
	/**
	 * The entry to show: of those that say more than the title in the row does, the one with the most terms, and then the best
	 * ranked. Its `active` is determined once all are counted. If nothing was found in an entry, it has no text.
	 */
	readonly best: Hit;
	/** The beginning of the first answer, if the best hit only repeats the title in the row. */
	readonly answer?: Snippet | undefined;
	/** Indexes of the query's optional terms that were not found; undefined if none is missing. */
	readonly lacks?: readonly number[] | undefined;
	/** The words that are there only in other forms; undefined where all are as typed. */
	readonly other?: readonly OtherForm[] | undefined;
}

export interface SessionHits {
	/** All entries that contain some of the terms, in file order. */
	readonly hits: readonly Hit[];
	/** As in `SearchResult`, but final; undefined unless the session contains all terms. */
	readonly best: Hit | undefined;
}

export const NO_HITS: SessionHits = { hits: [], best: undefined };

/** The title that a session's row shows: a hit in it alone would say nothing more. */
export interface ShownTitle {
	/** As much of the text as a row can show. */
	readonly text: string;
	/** Whether it is in the first message; otherwise it is a name or from another entry. */
	readonly isFirstMessage: boolean;
}

/** More of a title than a row shows; a word that comes later is not seen. */
const SHOWN_TITLE = 160;

/** The title in the row of a session, for finding out what a hit adds to it. */
export function shownTitle(row: SessionRow): ShownTitle {
	const text = (row.name ?? saidFirst(row)).slice(0, SHOWN_TITLE);
	return { text, isFirstMessage: row.name === undefined && row.firstMessage.includes(saidFirst(row)) };
}

/** The sessions in which the words of one of several queries were found. */
export interface SessionsWith {
	readonly paths: ReadonlySet<string>;
	/** Whether no session has them as typed, and these have them in other forms. */
	readonly inForms: boolean;
}

export interface SearchFile {
	readonly path: string;
	/** In bytes. */
	readonly size: number;
	/** The list's sort key, in milliseconds: files are searched and shown in this order. */
	readonly modified: number;
	/** Where a word without a field may also match: the file's path and the session's id. */
	readonly aliases?: readonly string[] | undefined;
	readonly title?: ShownTitle | undefined;
	/** Whether it has lines with characters that do not show (`HIDDEN_LINE`). @default nobody knows */
	readonly hidden?: boolean | undefined;
}

export type SearchEvent =
	/** New or changed results. Each replaces the earlier one with its path. */
	| { readonly type: "results"; readonly results: readonly SearchResult[] }
	/** Sessions that no longer match. */
	| { readonly type: "lost"; readonly paths: readonly string[] }
	/**
	 * Nothing more comes for now: all known sessions have been searched, and the visible ones to their end. `watched`: the
	 * number of the last call of `watchVisible`. `inForms`: the search for other forms of the words goes on, which never changes
	 * what was found as typed.
	 */
	| { readonly type: "settled"; readonly watched: number; readonly inForms: boolean }
	/** How many of the known sessions were searched; equal numbers mean that all results are known, but maybe not final. */
	| { readonly type: "progress"; readonly searched: number; readonly total: number }
	/** Files that could not be read, or only in part, and for each the reason, in plain words. */
	| { readonly type: "unread"; readonly reasons: ReadonlyMap<string, string> }
	/** The search cannot run or is incomplete; one sentence to show. */
	| { readonly type: "error"; readonly message: string };

/** The order in which results are shown, for a search that began at `now`. */
export function compareResults(now: number): (a: SearchResult, b: SearchResult) => number {
	// Never less than the rank.
	const keyOf = ({ rank, modified }: SearchResult) => rank + agedBy(modified, now);
	return (a, b) => keyOf(a) - keyOf(b) || b.modified - a.modified || (a.path < b.path ? -1 : 1);
}
