import type { CatalogEvent } from "./event.ts";
import type { Places } from "./places.ts";
import type { Hit, SearchOptions } from "./search/search.ts";
import type { Share } from "./search/text-reader.ts";

/** What the scan worker is started with. */
export interface ScanWorkerData {
	readonly places: Places;
	readonly cacheDir: string;
	/** Whether to go on watching after the first listing. */
	readonly watch: boolean;
	/** Whether to store searchable text and statistics after the listing. */
	readonly texts: boolean;
}

/** What the catalog asks of the scan worker. */
export type ToScanWorker =
	/** Begin; `seen` is the last change of the index whose rows have been shown already, -1 when none have. */
	| { readonly type: "start"; readonly seen: number }
	| { readonly type: "refresh"; readonly request: number }
	| { readonly type: "look"; readonly paths: readonly string[] }
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
	/** Text of more sessions can be searched; `complete`: of all that can be read. */
	| { readonly type: "texts"; readonly complete: boolean };

/** What the search worker is started with. */
export interface SearchWorkerData {
	/** Names the places in the index. */
	readonly place: string;
	readonly cacheDir: string;
	/** The sessions that this thread searches. */
	readonly share: Share;
}

/** What is asked of the search worker. */
export type ToSearchWorker =
	/** Ends the search before it. */
	| {
			readonly type: "search";
			readonly request: number;
			readonly query: string;
			readonly locate: SearchOptions["locate"];
	  }
	| { readonly type: "stop" }
	/** More text has been stored: search again what is being searched. */
	| { readonly type: "again" }
	| { readonly type: "move"; readonly cacheDir: string }
	| { readonly type: "hits"; readonly request: number; readonly query: string; readonly path: string }
	| { readonly type: "close" };

/** What the search worker tells. */
export type FromSearchWorker =
	/** `json` is a SearchEvent: thousands of results are handed over several times faster as one text than as objects. */
	| { readonly type: "event"; readonly request: number; readonly json: string }
	| { readonly type: "hits"; readonly request: number; readonly hits: readonly Hit[] };
