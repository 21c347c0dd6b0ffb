import { NO_QUERY, type Query } from "../../../catalog/query/parse-query.ts";
import type { Proposal } from "../../../catalog/query/propose.ts";
import type { SearchResult } from "../../../catalog/search/search.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import type { Order } from "./list-order.ts";
import type { ListSettings, Scope } from "./list-settings.ts";

/** The search in everything that was said, started by the list's filter. */
export interface SearchState {
	/** Number of the last search; events of earlier ones are dropped. */
	readonly request: number;
	/** The query of that search: what is typed, or was typed last that was a query. */
	readonly requested: Query;
	/**
	 * The query whose results the list shows. It becomes `requested` with the first event of that search, so that the list
	 * does not flicker with every character.
	 */
	readonly query: Query;
	/** Sessions in which the query was found, by path. */
	readonly results: ReadonlyMap<string, SearchResult>;
	/** How many of `total` sessions have been searched for `query`. */
	readonly searched: number;
	readonly total: number;
	/** The last report of the sessions in sight with which nothing more came; undefined while something may come. */
	readonly settled: number | undefined;
	/** What is typed and is no query, or not yet, with the reason; until it is one, the results of the last one stay. */
	readonly mistake?: { readonly text: string; readonly message: string } | undefined;
	/** Why the search failed or did not finish. */
	readonly error?: string | undefined;
	/** For a query that nothing matches: queries that may have been meant, the likeliest first; undefined until known. */
	readonly nearest?: { readonly query: Query; readonly proposals: readonly Proposal[] | undefined } | undefined;
}

/** Without a search the list shows all that its other filters let through. */
export const NO_SEARCH: SearchState = {
	request: 0,
	requested: NO_QUERY,
	query: NO_QUERY,
	results: new Map(),
	searched: 0,
	total: 0,
	settled: undefined,
};

/** A row under the cursor, and the query whose results it is among. */
interface SeenRow {
	readonly path: string | undefined;
	readonly query: Query;
	/** Unix ms; 0 when a key has moved the cursor there. */
	readonly since: number;
}

/** The list of what is marked alone, in the place of the list of sessions: whatever query, scope or filter hides there. */
interface Stage {
	/** What was marked when it was opened: a row whose mark is taken away stays, so that it can be marked again. */
	readonly paths: ReadonlySet<string>;
	/** What was typed in the list, and the session under its cursor, for the way back. */
	readonly query: EditedText;
	readonly selected: string | undefined;
}

export interface ListState {
	readonly query: EditedText;
	readonly search: SearchState;
	/** What of it is remembered from one run to the next. */
	readonly settings: ListSettings;
	/** The order of the results of a search. */
	readonly foundOrder: Order;
	readonly scope: Scope;
	/** Directory of the project of the scope "project". */
	readonly project: string;
	/** The scope before that. */
	readonly scopeBefore: Exclude<Scope, "project">;
	readonly namedOnly: boolean;
	readonly showPath: boolean;
	/** Paths of the sessions that are marked, to do something with all of them; all of them are listed. */
	readonly marked: ReadonlySet<string>;
	/** The one that was marked last, from which a range begins. */
	readonly lastMarked: string | undefined;
	/** Set while only what is marked is shown. */
	readonly stage: Stage | undefined;
	/** Path of the session under the cursor, or what a folded project is known by. */
	readonly selected: string | undefined;
	/** Index of the cursor in the list, to find the neighbor when its session disappears. */
	readonly index: number;
	/** First visible row, from 0. */
	readonly top: number;
	/** Rows of the screen above the cursor, where it is to stay when the query has just been cleared. */
	readonly keptRow?: number | undefined;
	/**
	 * Whether the cursor follows its session: since a key has moved it, or since everything has been listed and searched.
	 * Before that it stays on the first row.
	 */
	readonly cursorSet: boolean;
	/** What the cursor is on, and since when (Unix ms) that has been in sight. */
	readonly seen: SeenRow;
	/** Path of a session that was just created or changed: the cursor goes to it as soon as it is listed. */
	readonly pendingSelection: string | undefined;
	/** Whether its tree is opened then. */
	readonly opensPending: boolean;
}
