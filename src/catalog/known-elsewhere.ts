import { homedir } from "node:os";
import { sep } from "node:path";
import { readIndex } from "./index/open-index.ts";
import { storedOutside } from "./index/session-table.ts";
import { isSessionPath } from "./model/run-place.ts";
import { defaultCacheDir, type ListOptions, rootOf, type SessionRoots } from "./model/session-roots.ts";
import type { ScanStamp } from "./scan/scan-stamp.ts";

/**
 * The files of the index, by path, that may be in no directory that is searched, for `findSessionFiles`: only the index knows
 * them. None if there is no index, or it is damaged.
 */
export async function knownElsewhere(
	{ cacheDir, env = process.env, home = homedir() }: Pick<ListOptions, "cacheDir" | "env" | "home">,
	sessionRoots: SessionRoots,
): Promise<ReadonlyMap<string, ScanStamp>> {
	const root = rootOf(sessionRoots);
	const start = root + sep;
	const stored = await readIndex(cacheDir ?? defaultCacheDir(env, home), (db) => storedOutside(db, root, start));
	const files = (stored ?? []).filter(({ path }) => !path.startsWith(start) || !isSessionPath(path, sessionRoots));
	return new Map(files.map((file) => [file.path, file]));
}
