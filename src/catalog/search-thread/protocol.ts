import type { Query } from "../query/parse-query.ts";
import type { SearchEvent, SearchFile, SessionHits, SessionsWith } from "../search/search.ts";
import type { UsesEvent, UsesRequest } from "../uses/use-finder.ts";

export interface SearchCalls {
	/** New or changed files. */
	update(files: readonly SearchFile[]): void;
	remove(paths: readonly string[]): void;
	/** The visible sessions, of which all hits are counted. */
	watchVisible(paths: readonly string[], watched: number): void;
	/** Starts a search and ends the previous one. */
	search(request: number, query: Query): void;
	stop(): void;
	hits(query: Query, path: string): Promise<SessionHits>;
	/** For each of several queries the sessions that have its words. */
	searchEach(queries: readonly Query[]): Promise<readonly SessionsWith[]>;
	/** Prompts or commands, as `UseFinder.ask`. */
	askUses(request: number, number: number, question: UsesRequest): Promise<void>;
	stopUses(): void;
	/** Must be answered immediately. */
	ping(): true;
	close(): Promise<void>;
}

export type SearchThreadEvent =
	| { readonly type: "search"; readonly request: number; readonly event: SearchEvent }
	| { readonly type: "uses"; readonly request: number; readonly event: UsesEvent }
	/** A ripgrep was started or has ended: ending the thread does not end its processes. */
	| { readonly type: "process"; readonly pid: number; readonly running: boolean };
