import type { CatalogEvent } from "../model/event.ts";
import type { SessionRoots } from "../model/session-roots.ts";

/** What the scan worker is started with. */
export interface ScanWorkerData {
	readonly sessionRoots: SessionRoots;
	readonly cacheDir: string;
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
	/** All sessions that are being written now; replaces the earlier list. */
	| { readonly type: "live"; readonly paths: readonly string[] }
	/** The directory of the index, when it cannot be the cache directory. */
	| { readonly type: "moved"; readonly indexDir: string }
	/** All sessions that can be read have been counted, for now. */
	| { readonly type: "counted" };
