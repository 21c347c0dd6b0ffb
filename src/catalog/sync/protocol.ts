import type { CatalogEvent } from "../model/event.ts";
import type { SessionRoots } from "../model/session-roots.ts";

/** What the scan worker is started with. */
export interface ScanWorkerData {
	readonly sessionRoots: SessionRoots;
	readonly cacheDir: string;
	/** Whether to go on watching after the first listing. */
	readonly watch: boolean;
	/** Whether to count what the sessions hold and cost after the listing. */
	readonly numbers: boolean;
}

/** What the catalog asks of the scan worker. */
export type ToScanWorker =
	/** Begin; `seen` is the last change of the index whose rows have been shown already, -1 when none have. */
	| { readonly type: "start"; readonly seen: number }
	| { readonly type: "refresh"; readonly request: number }
	/** These session files were changed, made or removed: nothing else need be looked at. */
	| { readonly type: "changed"; readonly paths: readonly string[] }
	/** The sessions in sight. */
	| { readonly type: "watch-visible"; readonly paths: readonly string[] }
	/** Whether counting waits, because a search is going on. */
	| { readonly type: "pause"; readonly paused: boolean }
	| { readonly type: "close" };

/** What the scan worker tells the catalog. */
export type FromScanWorker =
	| { readonly type: "event"; readonly event: CatalogEvent }
	/** The comparison that was asked for has been made, and everything told that it found. */
	| { readonly type: "refreshed"; readonly request: number }
	/** The first complete listing has been told. */
	| { readonly type: "listed" }
	/** All sessions that are being written now; replaces what was told before. */
	| { readonly type: "live"; readonly paths: readonly string[] }
	/** Where the index is, when it could not be in the cache directory. */
	| { readonly type: "moved"; readonly indexDir: string }
	/** All sessions that can be read have been counted, for now. */
	| { readonly type: "counted" };
