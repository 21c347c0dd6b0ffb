import type { Query } from "../query/parse-query.ts";
import type { SearchEvent, SearchFile, SessionHits, SessionsWith } from "../search/search.ts";
import type { UsesEvent, UsesSearched } from "../uses/use-finder.ts";
import type { UsesWanted } from "../uses/used-texts.ts";

export type ToSearchWorker =
	/** New or changed files. */
	| { readonly type: "files"; readonly files: readonly SearchFile[] }
	| { readonly type: "gone"; readonly paths: readonly string[] }
	/** The visible sessions, of which all hits are counted. */
	| { readonly type: "watch-visible"; readonly paths: readonly string[]; readonly watched: number }
	/** Starts a search and ends the previous one. */
	| { readonly type: "search"; readonly request: number; readonly query: Query }
	| { readonly type: "stop" }
	| { readonly type: "hits"; readonly request: number; readonly query: Query; readonly path: string }
	| { readonly type: "each"; readonly request: number; readonly queries: readonly Query[] }
	/** Prompts or commands; without `searched`, of what the last such request has found. */
	| {
			readonly type: "uses";
			readonly request: number;
			readonly wanted: UsesWanted;
			readonly searched: UsesSearched | undefined;
	  }
	| { readonly type: "stop-uses" }
	/** Must be answered immediately. */
	| { readonly type: "ping" }
	| { readonly type: "close" };

export type FromSearchWorker =
	| { readonly type: "event"; readonly request: number; readonly event: SearchEvent }
	/** All hits in a session, or for each of several queries the sessions that have its words. */
	| { readonly type: "answer"; readonly request: number; readonly answer: SessionHits | readonly SessionsWith[] }
	| { readonly type: "uses"; readonly request: number; readonly event: UsesEvent }
	/** A ripgrep was started or has ended: ending the thread does not end its processes. */
	| { readonly type: "process"; readonly pid: number; readonly running: boolean }
	| { readonly type: "pong" };
