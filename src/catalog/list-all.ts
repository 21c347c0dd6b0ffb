import { homedir } from "node:os";
import { runToEnd } from "../shared/steps.ts";
import { isDirectoryTyped } from "../store/files/paths.ts";
import { type Catalog, openCatalog } from "./catalog.ts";
import { openExistingIndex } from "./index/open-index.ts";
import { SessionTable } from "./index/session-table.ts";
import { isDamage, isSqliteError } from "./index/sqlite.ts";
import { withArchiveMark } from "./model/archive.ts";
import { defaultCacheDir } from "./model/cache-dir.ts";
import type { SessionCounts } from "./model/counts.ts";
import type { ListOptions } from "./model/list-options.ts";
import type { SessionRow } from "./model/row.ts";
import { findSessionRoots, rootOf } from "./model/session-roots.ts";
import { isUnchanged } from "./scan/scan-stamp.ts";
import { findSessionFiles } from "./scan/session-files.ts";

/** All sessions of all projects, most recently modified first. Rejects with the signal's reason when aborted. */
export async function listAll(options: ListOptions = {}): Promise<SessionRow[]> {
	const known = await listKnown(options);
	if (known !== undefined) return newestFirst(known, options);
	return withCatalog(options, { numbers: false }, async (catalog) => {
		const rows = collectRows(catalog, options);
		await untilAborted(catalog.listed(), options.signal);
		return newestFirst(rows, options);
	});
}

/**
 * The rows of all files, by path, if the index has them all and no others; otherwise undefined. Starting the catalog's thread
 * takes as long as this. If anything has changed, the catalog must write it to the index: what was taken out of a session
 * must not stay there.
 */
async function listKnown(options: ListOptions): Promise<ReadonlyMap<string, SessionRow> | undefined> {
	const { sessionDir, env = process.env, cwd, home = homedir(), cacheDir, signal, onProblems, onProgress } = options;
	signal?.throwIfAborted();
	const sessionRoots = await findSessionRoots({ sessionDirFlag: sessionDir, env, cwd, home });
	const db = await openExistingIndex(cacheDir ?? defaultCacheDir(env, home));
	if (db === undefined) return undefined;
	try {
		const { files, problems, unsure } = runToEnd(findSessionFiles(sessionRoots));
		const stored = new SessionTable(db, rootOf(sessionRoots)).rows();
		const isSame = files.length === stored.size && files.every((file) => isUnchanged(stored.get(file.path), file));
		if (unsure.size > 0 || !isSame) return undefined;
		signal?.throwIfAborted();
		onProblems?.([...sessionRoots.problems, ...problems]);
		onProgress?.(files.length, files.length);
		return new Map([...stored].map(([path, { row }]) => [path, withArchiveMark(row, sessionRoots)]));
	} catch (error) {
		// The catalog repairs the index.
		if (isDamage(error) || isSqliteError(error)) return undefined;
		throw error;
	} finally {
		db.close();
	}
}

/** Like `listAll`, with the counts of each session, by path, after all of them have been counted. */
export function listCounted(
	options: ListOptions = {},
): Promise<{ readonly rows: readonly SessionRow[]; readonly counts: ReadonlyMap<string, SessionCounts> }> {
	return withCatalog(options, { numbers: true }, async (catalog) => {
		const counts = new Map<string, SessionCounts>();
		const rows = collectRows(catalog, options, counts);
		await untilAborted(catalog.counted(), options.signal);
		return { rows: newestFirst(rows, options), counts };
	});
}

/** Opens a catalog for some work, and closes it afterwards. */
export async function withCatalog<Result>(
	{ sessionDir, signal, env, cwd, home, cacheDir }: ListOptions,
	{ numbers }: { readonly numbers: boolean },
	work: (catalog: Catalog) => Promise<Result>,
): Promise<Result> {
	signal?.throwIfAborted();
	const sessionRoots = await findSessionRoots({ sessionDirFlag: sessionDir, env, cwd, home });
	const catalog = openCatalog({ sessionRoots, cacheDir, watch: false, numbers });
	try {
		return await work(catalog);
	} finally {
		await catalog.close();
	}
}

function newestFirst(rows: ReadonlyMap<string, SessionRow>, { archived = false }: ListOptions): SessionRow[] {
	const listed = [...rows.values()].filter((row) => archived || row.archived !== true);
	return listed.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}

/** Starts the catalog. The returned map holds the rows emitted so far, by path; `counts` gets the counts. */
export function collectRows(
	catalog: Catalog,
	{ onProgress, onProblems, onCounting }: ListOptions,
	counts: Map<string, SessionCounts> = new Map(),
): ReadonlyMap<string, SessionRow> {
	const rows = new Map<string, SessionRow>();
	catalog.start((event) => {
		if (event.type === "rows") for (const row of event.rows) rows.set(row.path, row);
		else if (event.type === "gone") for (const path of event.paths) rows.delete(path);
		else if (event.type === "progress") onProgress?.(event.read, event.total);
		else if (event.type === "counts") for (const [path, one] of event.counts) counts.set(path, one);
		else if (event.type === "counting") onCounting?.(event.counted, event.total);
		else if (event.type === "problems") onProblems?.(event.problems);
	});
	return rows;
}

/** The sessions whose header names the directory `cwd`, most recently modified first. */
export async function list(cwd: string, options: ListOptions = {}): Promise<SessionRow[]> {
	const isAsked = isDirectoryTyped(cwd);
	const rows = await listAll(options);
	return rows.filter((row) => row.cwd !== "" && isAsked(row.cwd));
}

/** Settles like the promise, or rejects with the signal's reason as soon as it is aborted. */
export function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
	if (!signal) return promise;
	return new Promise((resolve, reject) => {
		const stop = () => reject(signal.reason);
		if (signal.aborted) stop();
		signal.addEventListener("abort", stop, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
	});
}
