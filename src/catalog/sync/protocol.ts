import type { CatalogEvent } from "../model/event.ts";
import type { LiveReport } from "../model/live.ts";
import type { SessionRoots } from "../model/session-roots.ts";

/** What the scan worker is started with. */
export interface ScanWorkerData {
	readonly sessionRoots: SessionRoots;
	readonly cacheDir: string;
	/** Where pi-grove notes which pis it has started. */
	readonly stateDir: string;
	/** Whether to keep watching after the first listing. */
	readonly watch: boolean;
	/** Whether to count what the sessions contain and cost after the listing. */
	readonly numbers: boolean;
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
	| { readonly type: "look"; readonly request: number; readonly path: string }
	/** Whether counting waits because a search is running. */
	| { readonly type: "pause"; readonly paused: boolean }
	| { readonly type: "close" };

/** Messages from the scan worker. */
export type FromScanWorker =
	| { readonly type: "event"; readonly event: CatalogEvent }
	/** What was requested is done, and everything that it found has been emitted. */
	| { readonly type: "answered"; readonly request: number }
	/** The first complete listing has been emitted. */
	| { readonly type: "listed" }
	/** What is in use now, as the answer to `look`. */
	| { readonly type: "looked"; readonly request: number; readonly report: LiveReport }
	/** The directory of the index, when it cannot be the cache directory. */
	| { readonly type: "moved"; readonly indexDir: string }
	/** All sessions that can be read have been counted, for now. */
	| { readonly type: "counted" };
