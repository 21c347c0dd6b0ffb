import type { Env } from "../../store/read/session-dir.ts";
import type { CatalogProblem } from "./event.ts";

/** How all sessions are listed, once. */
export interface ListOptions {
	/** Like pi's `--session-dir`. */
	readonly sessionDir?: string | undefined;
	/** Gets how many of the files found have been read. */
	readonly onProgress?: ((read: number, total: number) => void) | undefined;
	/** Gets how many sessions have been counted, for what they contain and cost. */
	readonly onCounting?: ((counted: number, total: number) => void) | undefined;
	/** Gets problems such as unreadable directories or an index that cannot be written. */
	readonly onProblems?: ((problems: readonly CatalogProblem[]) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
	/** @default process.env */
	readonly env?: Env | undefined;
	/** Directory for relative paths and the project's settings. @default process.cwd() */
	readonly cwd?: string | undefined;
	/** @default os.homedir() */
	readonly home?: string | undefined;
	/** Whether to include archived sessions. @default false */
	readonly archived?: boolean | undefined;
	/**
	 * Whether this thread may read the files, each of which it does in one piece: with few to read, that takes less time than
	 * starting another thread. @default false
	 */
	readonly blocking?: boolean | undefined;
	/** Directory of the index. @default `defaultCacheDir()` */
	readonly cacheDir?: string | undefined;
}
