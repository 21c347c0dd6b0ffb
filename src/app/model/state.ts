import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { ParsedQuery, Query } from "../../catalog/query/parse-query.ts";
import type { SearchResult } from "../../catalog/search/search.ts";
import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { EditedText } from "../text/edit.ts";
import type { Binding } from "./binding.ts";
import type { Effect } from "./effect.ts";
import type { Line, Tone } from "./view.ts";

/** Everything that the screen is made from. Only `update` makes a new one; nothing in it is ever changed in place. */
export interface State {
	readonly environment: Environment;
	readonly size: Size;
	/** Present time, Unix ms; moves with each "tick", for ages. */
	readonly now: number;
	/** The pane that keys go to when no overlay is open. */
	readonly focus: Focus;
	readonly catalog: CatalogState;
	readonly list: ListState;
	readonly detail: Detail;
	readonly tree: TreeState;
	/** First visible row of the text under the tree, from 0. */
	readonly entryTop: number;
	/** What the sessions cost and weigh; undefined until it was asked for and counted. */
	readonly stats: CatalogStats | undefined;
	/** Menus, prompts and help, the topmost last. */
	readonly overlays: readonly Overlay[];
	/** What the last action did or why it failed; goes with the next key. */
	readonly message: Message | undefined;
	/** Paths of the sessions in sight, as the catalog last heard of them. */
	readonly visiblePaths: readonly string[];
	/** Number of the last request to read a session; an answer to an earlier one is dropped. */
	readonly request: number;
}

/** Facts about the run that do not change while it lasts. */
export interface Environment {
	/** The person's home directory, for "~". */
	readonly home: string;
	/** Where the program was started: the "here" scope, and where forks go. */
	readonly cwd: string;
	/** Root of the repository that `cwd` is in, if any: the "repo" scope. */
	readonly repo?: string | undefined;
	/** The built-in demo collection is shown. */
	readonly demo: boolean;
	/** What each key does: the table of `keymap.ts` with the person's own keys. */
	readonly keymap: readonly Binding[];
	/** What went wrong before the program started, such as settings that cannot be read. */
	readonly problems: readonly CatalogProblem[];
}

export interface Size {
	readonly columns: number;
	readonly rows: number;
}

export type Focus = "list" | "tree" | "entry";

export interface CatalogState {
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** Sessions of which the index knew at the start: until all their rows are here, this is how many there are. */
	readonly known: number;
	readonly read: number;
	readonly total: number;
	/** True once everything found at the start has been read. */
	readonly complete: boolean;
	/** So many of `countable` sessions have been counted: tokens, cost, sizes, damage. */
	readonly counted: number;
	readonly countable: number;
	readonly problems: readonly CatalogProblem[];
	/** Paths of the sessions that are in use. */
	readonly live: ReadonlySet<string>;
}

export type Sort = "threaded" | "recent" | "relevance" | "created" | "messages" | "size" | "project";
export type Scope = "all" | "repo" | "here";

/** The search in everything that was said, which the list's filter starts. */
export interface SearchState {
	/** Number of the last search; what an earlier one still tells is dropped. */
	readonly request: number;
	/** The query of that search, as it was typed and read; of one that cannot be read only the text. */
	readonly requested: Query;
	/**
	 * The query that the list shows: the one asked for as soon as its search tells anything, the one before until then,
	 * so that the list does not flicker with every character.
	 */
	readonly query: Query;
	/** Sessions in which the query was found, by path. */
	readonly results: ReadonlyMap<string, SearchResult>;
	/** So many of `total` sessions have been searched for `query`. */
	readonly searched: number;
	readonly total: number;
	/** Why what was typed is not a query. */
	readonly mistake?: string | undefined;
	/** Why the search could not be made, or not to its end. */
	readonly error?: string | undefined;
}

/** The places of a search in the opened session. */
export interface HitsState {
	readonly path: string;
	readonly query: Query;
	/** Ids of the entries with hits, in file order. */
	readonly ids: readonly string[];
}

export interface ListState {
	readonly query: EditedText;
	readonly search: SearchState;
	readonly sort: Sort;
	readonly scope: Scope;
	readonly namedOnly: boolean;
	readonly showPath: boolean;
	/** Path of the session under the cursor. */
	readonly selected: string | undefined;
	/** Where the cursor stood in the list when it was last drawn, to find its neighbour when the session goes. */
	readonly index: number;
	/** First visible row, from 0. */
	readonly top: number;
	/** A key has moved the cursor: from then on it follows its session; before, it stays on the newest. */
	readonly cursorMoved: boolean;
	/** A session that was just made: the cursor goes to it as soon as it is listed. */
	readonly pendingSelection: string | undefined;
}

/** The session that the tree pane shows. `row` is the catalog's row that the reading was asked for. */
export type Detail =
	| { readonly status: "none" }
	/** `session` is the reading before this one of the same file, shown until the new one is there. */
	| { readonly status: "loading"; readonly row: SessionRow; readonly session?: Session | undefined }
	| { readonly status: "ready"; readonly row: SessionRow; readonly session: Session }
	| { readonly status: "failed"; readonly row: SessionRow; readonly message: string };

/** pi's five tree filters. */
export type TreeFilter = "default" | "no-tools" | "user-only" | "labeled-only" | "all";

/** The entries of a session that hold all terms of a filter. */
export interface TreeMatches {
	readonly session: Session;
	readonly query: Query;
	/** Those of the filter before until they have been found; undefined where there was none. */
	readonly ids: ReadonlySet<string> | undefined;
	readonly isComplete: boolean;
}

export interface TreeState {
	readonly query: EditedText;
	/** The same as it was read. */
	readonly parsed: ParsedQuery;
	/** Of a large session: what the filter lets through, which takes too long for the screen to wait for. */
	readonly matches: TreeMatches | undefined;
	readonly filter: TreeFilter;
	readonly labelTimes: boolean;
	/** Id of the entry under the cursor; undefined: the leaf. */
	readonly selected: string | undefined;
	/** First visible row, from 0. */
	readonly top: number;
	/** Id of an entry with a hit that is shown whatever the filter is. */
	readonly pinned: string | undefined;
	readonly hits: HitsState | undefined;
	/** Ids of the folded entries. */
	readonly folded: ReadonlySet<string>;
	/** Where the cursor was left in the sessions shown before, by path. */
	readonly savedCursors: ReadonlyMap<string, string | undefined>;
}

/** What choosing an item does: it changes the state, or runs an effect, or with neither just closes the menu. */
export interface MenuItem {
	readonly label: string;
	readonly change?: (state: State) => State;
	readonly effect?: Effect;
}

export interface MenuOverlay {
	readonly kind: "menu";
	readonly title: string;
	readonly body: readonly Line[];
	readonly items: readonly MenuItem[];
	readonly index: number;
	/** Drawn as something that takes away. */
	readonly danger: boolean;
}

export interface PromptOverlay {
	readonly kind: "prompt";
	readonly title: string;
	readonly body: readonly Line[];
	readonly value: EditedText;
	/** What Enter does with the text. */
	readonly submit: PromptSubmit;
}

export type PromptSubmit =
	| { readonly type: "rename"; readonly path: string }
	| { readonly type: "label"; readonly path: string; readonly entryId: string };

/** A page of text over the whole screen: all keys, all that is damaged or in the way, or what the sessions cost. */
export interface HelpOverlay {
	readonly kind: "help";
	readonly page: "keys" | "problems" | "stats";
	/** First visible row, from 0. */
	readonly top: number;
}

export type Overlay = MenuOverlay | PromptOverlay | HelpOverlay;

export interface Message {
	readonly text: string;
	readonly tone: Tone;
}
