import type { UsedTexts } from "./select-uses.ts";
import type { Use } from "./use.ts";
import type { UseRequest } from "./use-library.ts";

/** A session file in which uses are looked for. */
export interface UseFile {
	readonly path: string;
	/** As the list has it, in bytes and Unix ms: a file of which neither has changed is not looked at again. */
	readonly size: number;
	readonly modified: number;
}

/** What is asked of the uses in all of `UseFile`s. */
export type UseAsk = Omit<UseRequest, "paths">;

/** What has been found so far for the last request, or why nothing can be. */
export type UsesEvent =
	| {
			readonly type: "found";
			readonly found: UsedTexts;
			/** How many of the files have been read, and how many there are. */
			readonly read: number;
			readonly total: number;
			/** Sentences about those that cannot be. */
			readonly unread: readonly string[];
			/** Whether nothing more comes for this request. */
			readonly isDone: boolean;
	  }
	| { readonly type: "error"; readonly message: string };

/** Messages to the thread that reads uses. */
export type ToUsesWorker =
	/** The files from now on, newest first. With `anew`, all are looked at again, whatever the list says. */
	| { readonly type: "files"; readonly files: readonly UseFile[]; readonly anew: boolean }
	/** Asks anew, and ends the request before. */
	| { readonly type: "ask"; readonly request: number; readonly ask: UseAsk }
	/** Reads the whole text of a use. */
	| { readonly type: "whole"; readonly request: number; readonly use: Use };

/** Messages from that thread. */
export type FromUsesWorker =
	| { readonly type: "event"; readonly request: number; readonly event: UsesEvent }
	| { readonly type: "whole"; readonly request: number; readonly text: string }
	| { readonly type: "failed"; readonly request: number; readonly reason: string };
