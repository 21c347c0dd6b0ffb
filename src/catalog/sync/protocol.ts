import type { CatalogEvent } from "../model/event.ts";
import type { LiveReport } from "../model/live.ts";
import type { SessionRoots } from "../model/session-roots.ts";
import type { StatsSums } from "../stats/aggregate-stats.ts";

/** What the scan worker is started with. */
export interface ScanWorkerData {
	readonly sessionRoots: SessionRoots;
	readonly cacheDir: string;
	/** Where pi-grove notes which pis it has started. */
	readonly stateDir: string;
	/** Whether to keep watching after the first listing. */
	readonly watch: boolean;
	/** Whether to look at the running programs. */
	readonly processes: boolean;
	/** Whether to count what the sessions contain and cost after the listing. */
	readonly numbers: boolean;
}

/** Sessions as columns of what is told of each: lists of texts cost a tenth of what objects cost to hand over. */
export interface StatsFiles {
	readonly paths: readonly string[];
	readonly cwds: readonly string[];
	/** In bytes. */
	readonly sizes: readonly number[];
}

/** Messages to the scan worker. */
export type ToScanWorker =
	/** Start; `seen` is the last change of the index whose rows have already been emitted, -1 when none have. */
	| { readonly type: "start"; readonly seen: number }
	| { readonly type: "refresh"; readonly request: number }
	/** These session files were changed, created or removed; nothing else has to be read. */
	| { readonly type: "changed"; readonly request: number; readonly paths: readonly string[] }
	/** The sessions that are visible. */
	| { readonly type: "watch-visible"; readonly paths: readonly string[] }
	/** Look anew at what is in use, and at who has this session open; answered by `looked`. */
	| { readonly type: "look"; readonly request: number; readonly paths: readonly string[] }
	/** What these sessions come to is wanted, as far as they have been counted. */
	| { readonly type: "stats"; readonly request: number; readonly files: StatsFiles }
	/** The paths of all sessions are wanted: those emitted so far differ from them. */
	| { readonly type: "paths" }
	/** The index must be damaged, because sessions in it were not emitted: all are to be read anew. */
	| { readonly type: "rebuild" }
	/** Whether counting waits because a search is running. */
	| { readonly type: "pause"; readonly paused: boolean }
	| { readonly type: "close" };

/** Messages from the scan worker. */
export type FromScanWorker =
	| { readonly type: "event"; readonly event: CatalogEvent }
	/** What was requested is done, and everything that it found has been emitted. */
	| { readonly type: "answered"; readonly request: number }
	/** What is in use now, as the answer to `look`. */
	| { readonly type: "looked"; readonly request: number; readonly report: LiveReport }
	/** A complete listing has been emitted; `signature` is that of all its paths (path-set.ts). */
	| { readonly type: "listed"; readonly signature: string }
	/** All sessions. */
	| { readonly type: "paths"; readonly paths: readonly string[] }
	| { readonly type: "stats"; readonly request: number; readonly sums: StatsSums }
	/** All sessions that can be read have been counted, for now. */
	| { readonly type: "counted" };
