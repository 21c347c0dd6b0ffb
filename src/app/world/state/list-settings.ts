import type { Column } from "./columns.ts";
import type { Order } from "./list-order.ts";

/** Which sessions the list has: all, those of a repository, of the present directory, of one project, or of the archive. */
export type Scope = "all" | "repo" | "here" | "project" | "archived";

/** How the person wants the list, from one run to the next. */
export interface ListSettings {
	/** Without a search; the results of one come by relevance, until the person chooses another order for them. */
	readonly order: Order;
	/** There are sections above the list: what runs, what waits for the person, today, what is pinned. */
	readonly home: boolean;
	/** Sessions of the present directory come before all others. */
	readonly hereFirst: boolean;
	/** Columns that are not shown, even where there is room. */
	readonly hidden: ReadonlySet<Column>;
	/** Directories of the projects that are folded to their heading. */
	readonly folded: ReadonlySet<string>;
}

/** The same with the scope; that of one project is not remembered: the next run may be about another one. */
export interface RememberedList {
	readonly settings: ListSettings;
	readonly scope: Exclude<Scope, "project">;
}

export const FIRST_SETTINGS: ListSettings = {
	order: { sort: "threaded", reversed: false },
	home: true,
	hereFirst: false,
	hidden: new Set(),
	folded: new Set(),
};

export const BY_RELEVANCE: Order = { sort: "relevance", reversed: false };
