import type { Query } from "../../../catalog/query/parse-query.ts";
import type { ReadSaved } from "../../../changes/noted/saved-queries.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import type { Column, Order } from "./list-columns.ts";

/** A row under the cursor, and the query whose results it is among. */
interface SeenRow {
	readonly path: string | undefined;
	readonly query: Query;
	/** Unix ms; 0 when a key has moved the cursor there. */
	readonly since: number;
}

/** The list showing only the marked sessions, including those that the query, the scope or a filter hides. */
interface Stage {
	/** The sessions marked when the stage was opened: an unmarked row stays, so that it can be marked again. */
	readonly paths: ReadonlySet<string>;
	/** The query of the list and the session under its cursor, to be restored. */
	readonly query: EditedText;
	readonly selected: string | undefined;
}

export interface ListState {
	readonly query: EditedText;
	/** Kept from one run to the next. */
	readonly settings: ListSettings;
	/** The order of the results of a search for words. */
	readonly foundOrder: Order;
	/** The order that was chosen for what is found by amounts or dates alone. @default what the query is about */
	readonly chosenOrder: Order | undefined;
	readonly scope: Scope;
	/** Directory of the project for the scope "project". */
	readonly project: string;
	readonly scopeBefore: Exclude<Scope, "project">;
	/** Conditions that narrow the list besides, in the order in which they were chosen. */
	readonly terms: readonly ChipTerm[];
	readonly showPath: boolean;
	readonly unfolded: ReadonlySet<string>;
	readonly marked: ReadonlySet<string>;
	readonly stage: Stage | undefined;
	/** Key of the row under the cursor (`keyOf`): the path of a session, or the key of a folded project. */
	readonly selected: string | undefined;
	/** Index of the cursor in the list, to find a neighbor when its session disappears. */
	readonly index: number;
	/** First visible row, from 0. */
	readonly top: number;
	/** Screen rows above the cursor, set when the query has just been cleared, so that the cursor stays where it is. */
	readonly keptRow?: number | undefined;
	/**
	 * Whether the cursor follows its session: once a key has moved it, or everything has been listed and searched. Before
	 * that it stays on the session at `startsAt`, or on the first row.
	 */
	readonly cursorSet: boolean;
	/** Path of the session at which the cursor begins, if that is listed. */
	readonly startsAt?: string | undefined;
	/** The row under the cursor, and since when it has been visible. */
	readonly seen: SeenRow;
	/** Path of a session that was just created or changed: the cursor moves to it as soon as it is listed. */
	readonly pendingSelection: string | undefined;
	/** Whether its tree is then opened. */
	readonly opensPending: boolean;
}

export interface SavedState extends ReadSaved {
	/** Index of the query under the cursor among the shown ones, -1 without any; undefined while the cursor is in the list. */
	readonly index: number | undefined;
	/** The last query before the field was cleared, which `:save name` without a query saves. */
	readonly lastQuery: string;
}

export const NOTHING_SAVED: SavedState = { queries: [], problems: [], index: undefined, lastQuery: "" };

/**
 * Which sessions are listed: all of this machine, those of all places, of a repository, of the present directory, of one project, or of
 * the archive.
 */
export type Scope = "all" | "everywhere" | "repo" | "here" | "project" | "archived";

/** The person's settings of the list, kept from one run to the next. */
export interface ListSettings {
	/** Without a search; its results are ordered by relevance until the person chooses another order for them. */
	readonly order: Order;
	/** The columns beside the titles. @default those of the terminal's width */
	readonly columns?: readonly Column[] | undefined;
	readonly hereFirst: boolean;
	/** When the newest damaged session was last written that the person has looked at in Maintenance, Unix ms. */
	readonly damageSeen?: number | undefined;
	/** Directories of the projects that are folded to their heading. */
	readonly folded: ReadonlySet<string>;
	/** The last queries that led to an action, as they were typed, newest first. */
	readonly recent: readonly string[];
}

export const MOST_RECENT = 20;
/** UTF-16 units of a query that is remembered; a longer one was pasted. */
export const LONGEST_RECENT = 500;

export const FIRST_SETTINGS: ListSettings = {
	order: { sort: "threaded", reversed: false },
	hereFirst: false,
	folded: new Set(),
	recent: [],
};

export const BY_RELEVANCE: Order = { sort: "relevance", reversed: false };

/**
 * Conditions that narrow the list beside the typed query, as terms of the query language: what their chip says, the command that
 * adds or drops it, and its item in the menu.
 */
export const CHIP_TERMS = {
	"is:running": { label: "running", command: "only-running", item: "Only sessions that a pi has open" },
	"is:waiting": { label: "waiting", command: "only-waiting", item: "Only sessions that wait for you" },
	"on:today": { label: "today", command: "only-today", item: "Only sessions of today" },
	"is:named": { label: "named", command: "named", item: "Only sessions with a name" },
} as const;
export type ChipTerm = keyof typeof CHIP_TERMS;

export const ALL_CHIP_TERMS = Object.keys(CHIP_TERMS) as readonly ChipTerm[];
