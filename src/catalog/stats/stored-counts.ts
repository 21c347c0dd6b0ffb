import { closeSync } from "node:fs";
import { homedir } from "node:os";
import type { TimeSlice } from "../../shared/steps.ts";
import { openFile } from "../../store/files/open-file.ts";
import { errorCode } from "../../store/files/store-error.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import { openExistingIndex } from "../index/open-index.ts";
import { isDamage, isSqliteError } from "../index/sqlite.ts";
import type { SessionCounts } from "../model/counts.ts";
import { defaultCacheDir, findSessionRoots, type ListOptions, rootOf } from "../model/session-roots.ts";
import { runCount, SessionCount } from "./count-session.ts";
import { HashSet } from "./hash-set.ts";
import { storedCounts } from "./numbers-table.ts";

/**
 * The counts of some sessions, by path: from the index if they are up to date there, else by reading the file. Nothing is
 * written. A session that cannot be read is left out.
 */
export async function countSome(
	paths: Iterable<string>,
	{ sessionDir, env = process.env, cwd, home = homedir(), cacheDir }: ListOptions,
	timeSlice: TimeSlice,
): Promise<ReadonlyMap<string, SessionCounts>> {
	const counts = new Map<string, SessionCounts>();
	const root = rootOf(await findSessionRoots({ sessionDirFlag: sessionDir, env, cwd, home }));
	const db = await openExistingIndex(cacheDir ?? defaultCacheDir(env, home));
	try {
		const stored = db && unlessDamaged(() => storedCounts(db, root));
		for (const path of paths) {
			const one = await countOne(path, stored, timeSlice);
			if (one !== undefined) counts.set(path, one);
		}
	} finally {
		db?.close();
	}
	return counts;
}

async function countOne(
	path: string,
	stored: ReturnType<typeof storedCounts> | undefined,
	timeSlice: TimeSlice,
): Promise<SessionCounts | undefined> {
	try {
		const file = openFile(path);
		try {
			const { size, mtimeMs } = file.stats;
			const known = unlessDamaged(() => stored?.({ path, size, mtimeMs }));
			if (known !== undefined) return known;
			const session = { id: 0, path, size, mtimeMs };
			const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
			const begin = () => new SessionCount({ session, file, before: undefined, owners: new HashSet(), buffer });
			const { count } = await runCount(begin, (steps) => timeSlice.run(steps));
			return count.finish()?.numbers.counts;
		} finally {
			closeSync(file.fd);
		}
	} catch (error) {
		// Deleted, locked or broken since it was listed.
		if (errorCode(error) !== "") return undefined;
		throw error;
	}
}

/** A value from the index; undefined if the index is damaged or locked by another program: the file is read instead. */
function unlessDamaged<Result>(ask: () => Result): Result | undefined {
	try {
		return ask();
	} catch (error) {
		if (isDamage(error) || isSqliteError(error)) return undefined;
		throw error;
	}
}
