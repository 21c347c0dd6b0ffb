import type { Query } from "../query/parse-query.ts";
import type { EntryTexts } from "../query/search-text.ts";
import type { SearchEvent, SearchFile, SessionHits } from "./search.ts";

/** Messages to the search worker. */
export type ToSearchWorker =
	/** Files that are new or have changed. */
	| { readonly type: "files"; readonly files: readonly SearchFile[] }
	/** Files that are as they were; more is known of them. */
	| { readonly type: "learned"; readonly files: readonly SearchFile[] }
	| { readonly type: "gone"; readonly paths: readonly string[] }
	/** The visible sessions, whose hits are all counted. */
	| { readonly type: "watch-visible"; readonly paths: readonly string[]; readonly watched: number }
	/** Starts a search and ends the one before. */
	| { readonly type: "search"; readonly request: number; readonly query: Query }
	| { readonly type: "stop" }
	| { readonly type: "hits"; readonly request: number; readonly query: Query; readonly path: string }
	/** Asks which entries hold all terms of a query, and ends the request of this kind before it. */
	| { readonly type: "match"; readonly request: number; readonly query: Query; readonly entries: readonly EntryTexts[] }
	/** Must be answered at once. */
	| { readonly type: "ping" }
	| { readonly type: "close" };

/** Messages from the search worker. */
export type FromSearchWorker =
	| { readonly type: "event"; readonly request: number; readonly event: SearchEvent }
	| { readonly type: "hits"; readonly request: number; readonly found: SessionHits }
	| { readonly type: "match"; readonly request: number; readonly held: readonly boolean[] }
	/** A ripgrep has been started or has ended: one whose thread is ended would go on. */
	| { readonly type: "process"; readonly pid: number; readonly running: boolean }
	| { readonly type: "pong" };
