import { homedir } from "node:os";
import { sep } from "node:path";
import { openExistingIndex } from "./index/open-index.ts";
import { storedOutside } from "./index/session-table.ts";
import { isDamage, isSqliteError } from "./index/sqlite.ts";
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
	const db = await openExistingIndex(cacheDir ?? defaultCacheDir(env, home));
	if (db === undefined) return new Map();
	try {
		const root = rootOf(sessionRoots);
		const start = root + sep;
		const files = storedOutside(db, root, start).filter(
			({ path }) => !path.startsWith(start) || !isSessionPath(path, sessionRoots),
		);
		return new Map(files.map((file) => [file.path, file]));
	} catch (error) {
		if (isDamage(error) || isSqliteError(error)) return new Map();
		throw error;
	} finally {
		db.close();
	}
}
