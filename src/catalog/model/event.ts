import type { SessionRow } from "./row.ts";

/** What the catalog tells while it reads and watches. Rows are whole: a later row replaces the earlier one of its path. */
export type CatalogEvent =
	/** So many sessions were known when the program last ended; their rows follow. Told once, before all rows. */
	| { readonly type: "known"; readonly count: number }
	/** Rows that are new or have changed. */
	| { readonly type: "rows"; readonly rows: readonly SessionRow[] }
	/** Files that are no longer there. */
	| { readonly type: "gone"; readonly paths: readonly string[] }
	/** All sessions that are in use at present: they grew while being watched, or (Linux) a running pi has them. */
	| { readonly type: "live"; readonly paths: readonly string[] }
	/** How many of the files found have been read; equal numbers mean that the catalog is complete for now. */
	| { readonly type: "progress"; readonly read: number; readonly total: number }
	/** So many of the sessions have been counted as they are now; equal numbers mean that counting is at rest. */
	| { readonly type: "counting"; readonly counted: number; readonly total: number }
	/** All that stands in the way at present: unreadable directories, watching not possible, … Replaces what was told before. */
	| { readonly type: "problems"; readonly problems: readonly CatalogProblem[] };

export interface CatalogProblem {
	/** The file or directory that it is about. */
	readonly path: string;
	/** One plain sentence: what was being done, why it failed, what to do. */
	readonly message: string;
}
