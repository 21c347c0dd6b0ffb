import type { UsedTexts } from "./select-uses.ts";
import type { Use } from "./use.ts";
import type { UseRequest } from "./use-library.ts";

/** A session file in which uses are searched. */
export interface UseFile {
	readonly path: string;
	/** As listed, in bytes and Unix ms: a file with the same values is not read again. */
	readonly size: number;
	readonly modified: number;
}

/** What is searched for in all `UseFile`s. */
export type UseSearch = Omit<UseRequest, "paths">;

/** What was found so far for the last request, or why the search failed. */
export type UsesEvent =
	| {
			readonly type: "found";
			readonly found: UsedTexts;
			/** Number of files read, and in all. */
			readonly read: number;
			readonly total: number;
			/** A sentence about each file that cannot be read. */
			readonly unread: readonly string[];
			/** Whether this is the last event for the request. */
			readonly isDone: boolean;
	  }
	| { readonly type: "error"; readonly message: string };

/** Messages to the thread that reads uses. */
export type ToUsesWorker =
	/** The files from now on, newest first. With `reread`, all are read again, even if they look unchanged. */
	| { readonly type: "files"; readonly files: readonly UseFile[]; readonly reread: boolean }
	/** Starts a search, and ends the previous one. */
	| { readonly type: "search"; readonly request: number; readonly search: UseSearch }
	/** Reads the whole text of a use. */
	| { readonly type: "whole"; readonly request: number; readonly use: Use };

/** Messages from that thread. */
export type FromUsesWorker =
	| { readonly type: "event"; readonly request: number; readonly event: UsesEvent }
	| { readonly type: "whole"; readonly request: number; readonly text: string }
	| { readonly type: "failed"; readonly request: number; readonly reason: string };
