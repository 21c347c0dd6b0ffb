import type { LiveReport } from "../../catalog/model/live.ts";
import type { HistoryReader } from "../journal/history-reader.ts";
import type { Journal } from "../journal/journal.ts";
import type { KindTools } from "../kinds/kind.ts";
import type { StoreClient } from "../store-thread/store-client.ts";
import type { LongWork } from "./long-work.ts";

export interface RecoverTools extends KindTools {
	readonly journal: Journal;
	readonly history: HistoryReader;
	/** Unix ms. */
	readonly clock: () => number;
}

/** Reads afresh what is in use, and which programs have these sessions open. */
export type CheckUse = (paths: readonly string[]) => Promise<LiveReport>;

export interface ChangesTools extends RecoverTools {
	/** A store thread for what only reads, so that no change waits for it. */
	readonly readThread: StoreClient;
	/** The title of a session in the list; undefined if it is not listed. */
	readonly titleOf: (path: string) => string | undefined;
	/** Has the catalog read these session files, which were changed, created or removed. */
	readonly changed: (paths: readonly string[]) => void;
	/** Has the catalog compare itself with the disk. */
	readonly refresh: () => void;
	readonly checkUse: CheckUse;
	readonly work: LongWork;
	readonly home: string;
}
