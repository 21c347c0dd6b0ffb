import type { CountedSessions } from "./counts.ts";
import type { LiveReport } from "./live.ts";
import type { SessionRow } from "./row.ts";

/** What the catalog emits while it reads and watches. A row is complete: it replaces the earlier one of its path. */
export type CatalogEvent =
	/** How many sessions were known when the program last ended. Emitted once, before their rows. */
	| { readonly type: "known"; readonly count: number }
	/** Rows that are new or have changed. */
	| { readonly type: "rows"; readonly rows: readonly SessionRow[] }
	/** Files that no longer exist. */
	| { readonly type: "gone"; readonly paths: readonly string[] }
	/** What is in use at the moment; replaces the earlier report. */
	| { readonly type: "live"; readonly report: LiveReport }
	/** How many of the files found have been read; equal numbers mean that the catalog is complete for now. */
	| { readonly type: "progress"; readonly read: number; readonly total: number }
	/** How many sessions have been counted in their present state; equal numbers mean that counting is idle. */
	| { readonly type: "counting"; readonly counted: number; readonly total: number }
	/** Counts of sessions, initially those that were stored; each replaces the earlier ones of its session. */
	| { readonly type: "counts"; readonly counts: CountedSessions }
	/** All present problems, such as unreadable directories; replaces the earlier ones. */
	| { readonly type: "problems"; readonly problems: readonly CatalogProblem[] };

export interface CatalogProblem {
	/** The file or directory concerned. */
	readonly path: string;
	/** One plain sentence: what was being done, why it failed, what to do. */
	readonly message: string;
}
