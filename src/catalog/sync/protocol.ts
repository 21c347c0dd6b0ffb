import type { CatalogEvent } from "../model/event.ts";
import type { LiveReport } from "../model/live.ts";
import type { SessionRoots } from "../model/session-roots.ts";
import type { StatsSums } from "../stats/aggregate-stats.ts";
import type { RunsByParent } from "../stats/family-cost.ts";

/** What an `Indexer` is started with. */
export interface IndexerData {
	readonly sessionRoots: SessionRoots;
	readonly cacheDir: string;
	/** Where pi-grove notes which pis it has started. */
	readonly stateDir: string;
	/** Whether to keep watching after the first listing. */
	readonly watch: boolean;
	/** Whether to look for running programs. */
	readonly processes: boolean;
	/** Whether to count what the sessions contain and cost after the listing. */
	readonly numbers: boolean;
	/** Whether it works in the thread that has started it: with more than a little to read it fails with a `TooMuchToRead`. */
	readonly here: boolean;
}

/** More bytes have changed than may be read. */
export class TooMuchToRead extends Error {}

/** Sessions as columns: handing over arrays of primitives costs a tenth of arrays of objects. */
export interface StatsFiles {
	readonly paths: readonly string[];
	readonly cwds: readonly string[];
	/** In bytes. */
	readonly sizes: readonly number[];
	readonly runs: RunsByParent;
	/** A day or a month ("2026-01") to which all is limited; "" for all time. */
	readonly on: string;
}

/** Messages to an `Indexer`. */
export type ToIndexer =
	/** Start; `seen` is the last change of the index whose rows have already been emitted, -1 if none. */
	| { readonly type: "start"; readonly seen: number }
	| { readonly type: "refresh"; readonly request: number }
	/** These session files were changed, created or removed; nothing else needs to be read. */
	| { readonly type: "changed"; readonly request: number; readonly paths: readonly string[] }
	| { readonly type: "watch-visible"; readonly paths: readonly string[] }
	/** Check again what is in use, and who has these sessions open; answered by `use-checked`. */
	| { readonly type: "check-use"; readonly request: number; readonly paths: readonly string[] }
	| { readonly type: "stats"; readonly request: number; readonly files: StatsFiles }
	/** The index must be damaged, because sessions in it were not emitted: read all of them again. */
	| { readonly type: "rebuild" }
	/** Count what the sessions contain and cost, although that was not asked for at the start. */
	| { readonly type: "count" }
	/** Whether counting must wait because a search is running. */
	| { readonly type: "pause"; readonly paused: boolean }
	| { readonly type: "close" };

/** Messages from an `Indexer`. */
export type FromIndexer =
	| { readonly type: "event"; readonly event: CatalogEvent }
	/** More directories of projects are known; comes before the rows of their sessions. */
	| { readonly type: "roots"; readonly sessionRoots: SessionRoots }
	/** A request was carried out, and everything that it found has been emitted. */
	| { readonly type: "answered"; readonly request: number }
	/** What is in use now; answers `check-use`. */
	| { readonly type: "use-checked"; readonly request: number; readonly report: LiveReport }
	/** A complete listing was emitted; `paths`: of all its sessions. */
	| { readonly type: "listed"; readonly paths: readonly string[] }
	| { readonly type: "stats"; readonly request: number; readonly sums: StatsSums }
	/** All sessions that can be read have been counted, for now. */
	| { readonly type: "counted" };
