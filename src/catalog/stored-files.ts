import { homedir } from "node:os";
import { readIndex } from "./index/open-index.ts";
import { SessionTable } from "./index/session-table.ts";
import { defaultCacheDir, type ListOptions, rootOf, type SessionRoots } from "./model/session-roots.ts";
import type { ScanStamp } from "./scan/scan-stamp.ts";

/** The files of the index, by path: only the index knows those that are in no directory that is searched. None without an index. */
export async function knownFiles(
	{ cacheDir, env = process.env, home = homedir() }: Pick<ListOptions, "cacheDir" | "env" | "home">,
	sessionRoots: SessionRoots,
): Promise<ReadonlyMap<string, ScanStamp>> {
	const root = rootOf(sessionRoots);
	const files = await readIndex(cacheDir ?? defaultCacheDir(env, home), (db) => new SessionTable(db, root).files());
	return files ?? new Map();
}
