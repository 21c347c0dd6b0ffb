import type { Column } from "./columns.ts";
import type { Order } from "./list-order.ts";

/** Which sessions are listed: all, those of a repository, of the present directory, of one project, or of the archive. */
export type Scope = "all" | "repo" | "here" | "project" | "archived";

/** The person's settings of the list, kept from one run to the next. */
export interface ListSettings {
	/** Without a search; its results are ordered by relevance until the person chooses another order for them. */
	readonly order: Order;
	/** Whether sessions of the present directory come before all others. */
	readonly hereFirst: boolean;
	/** Columns that are not shown even if there is room. */
	readonly hidden: ReadonlySet<Column>;
	/** Directories of the projects that are folded to their heading. */
	readonly folded: ReadonlySet<string>;
	/** The last queries that led to an action, as they were typed, newest first. */
	readonly recent: readonly string[];
}

/** The settings with the scope, except that of one project: the next run may be about another one. */
export interface RememberedList {
	readonly settings: ListSettings;
	readonly scope: Exclude<Scope, "project">;
}

/** Queries that are remembered. */
export const MOST_RECENT = 20;
/** UTF-16 units of a query that is remembered; a longer one was pasted. */
export const LONGEST_RECENT = 500;

export const FIRST_SETTINGS: ListSettings = {
	order: { sort: "threaded", reversed: false },
	hereFirst: false,
	hidden: new Set(),
	folded: new Set(),
	recent: [],
};

export const BY_RELEVANCE: Order = { sort: "relevance", reversed: false };
