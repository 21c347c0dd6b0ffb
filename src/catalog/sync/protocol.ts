import type { Worker } from "node:worker_threads";
import { startThread } from "../../shared/v8-settings.ts";
import { workerUrl } from "../../shared/worker-url.ts";
import type { CatalogEvent } from "../model/event.ts";
import type { LiveReport } from "../model/live.ts";
import type { SessionRoots } from "../model/session-roots.ts";
import type { StatsSums } from "../stats/aggregate-stats.ts";
import type { RunsByParent } from "../stats/family-cost.ts";
import type { FileScan } from "./known-files.ts";

/** `watch`, `processes` and `numbers` as in `CatalogOptions`. */
export interface IndexerData {
	readonly sessionRoots: SessionRoots;
	readonly cacheDir: string;
	/** Where pi-grove notes which pis it has started. */
	readonly stateDir: string;
	readonly watch: boolean;
	readonly processes: boolean;
	readonly numbers: boolean;
	/** Whether it works in the thread that has started it: with more than a little to read it fails with a `TooMuchToRead`. */
	readonly here: boolean;
}

export function startScanThread(data: IndexerData): Worker {
	return startThread(workerUrl("scan-worker"), "scan", data);
}

/** More bytes have changed than may be read. */
export class TooMuchToRead extends Error {}

/** Sessions as columns: handing over arrays of primitives costs a tenth of arrays of objects. */
export interface StatsFiles {
	readonly paths: readonly string[];
	readonly cwds: readonly string[];
	/** In bytes. */
	readonly sizes: readonly number[];
	readonly runs: RunsByParent;
	/** A day or a month ("2026-01") to which all is limited; "" for all time. */
	readonly on: string;
}

export interface IndexerCalls {
	/** Starts; `seen` is the last change of the index whose rows have already been emitted, -1 if none. */
	start(seen: number): Promise<void>;
	/** Compares all files; answered when everything that it found has been emitted. */
	refresh(): Promise<true>;
	/** These session files were changed, created or removed; nothing else needs to be read. */
	changed(paths: readonly string[]): void;
	/** Reads these new files for another scan thread, which asks this one for nothing else. */
	scan(paths: readonly string[]): readonly FileScan[];
	watchVisible(paths: readonly string[]): void;
	/** Checks again what is in use, and who has these sessions open. */
	checkUse(paths: readonly string[]): LiveReport;
	stats(files: StatsFiles): StatsSums;
	/** The index must be damaged, because sessions in it were not emitted: reads all of them again. */
	rebuild(): void;
	/** Counts what the sessions contain and cost, although that was not asked for at the start. */
	count(): void;
	/** Whether counting must wait because a search is running. */
	pause(paused: boolean): void;
	close(): Promise<void>;
}

export type IndexerEvent =
	| CatalogEvent
	/** More directories of projects are known; comes before the rows of their sessions. */
	| { readonly type: "roots"; readonly sessionRoots: SessionRoots }
	/** A complete listing was emitted; `paths`: of all its sessions. */
	| { readonly type: "listed"; readonly paths: readonly string[] }
	/** All sessions that can be read have been counted, for now. */
	| { readonly type: "counted" };
