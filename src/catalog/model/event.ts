import type { CountedSessions } from "./counts.ts";
import type { LiveReport } from "./live.ts";
import type { SessionRow } from "./row.ts";

/** What the catalog emits while it reads and watches. A row is complete: it replaces the earlier one of its path. */
export type CatalogEvent =
	/** How many sessions were known when the program last ended. Emitted once, before their rows. */
	| { readonly type: "known"; readonly count: number }
	/** Rows that are new or have changed. */
	| { readonly type: "rows"; readonly rows: readonly SessionRow[] }
	| { readonly type: "gone"; readonly paths: readonly string[] }
	/** What is in use at the moment; replaces the earlier report. */
	| { readonly type: "live"; readonly report: LiveReport }
	/** How many of the files found have been read; equal numbers mean that the catalog is complete for now. */
	| { readonly type: "progress"; readonly read: number; readonly total: number }
	/** How many sessions have been counted in their present state; equal numbers mean that counting is idle. */
	| { readonly type: "counting"; readonly counted: number; readonly total: number }
	/** Counts of sessions, initially those that were stored; each replaces the earlier ones of its session. */
	| { readonly type: "counts"; readonly counts: CountedSessions }
	/** How far each place besides this machine has answered; replaces the earlier report. */
	| { readonly type: "places"; readonly places: readonly PlaceState[] }
	/** All present problems, such as unreadable directories; replaces the earlier ones. */
	| { readonly type: "problems"; readonly problems: readonly CatalogProblem[] };

/** How far a place besides this machine has answered. */
export interface PlaceState {
	readonly name: string;
	/** A directory of this machine, or another machine that ssh reaches. */
	readonly kind: "dir" | "ssh";
	/** Its directory, or what ssh is given: as the person has written it. */
	readonly where: string;
	/** "unasked": the place was not wanted yet; "asking": its rows are incomplete, or from an earlier run. */
	readonly phase: "unasked" | "asking" | "listed" | "failed";
	/** Number of its sessions that are known. */
	readonly count: number;
	/** When it has listed them, if that was earlier, Unix ms. */
	readonly asOfMs?: number | undefined;
	/** Why it has failed, or cannot search, as a sentence that names it; it may have texts from there. */
	readonly reason?: string | undefined;
}

export interface CatalogProblem {
	readonly path: string;
	/** One plain sentence: the failed step, the reason, what to do. */
	readonly message: string;
}
