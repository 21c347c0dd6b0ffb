import { homedir } from "node:os";
import { isDirectoryTyped } from "../store/files/paths.ts";
import { isDamaged } from "../store/format/diagnostic.ts";
import { type Catalog, openCatalog } from "./catalog.ts";
import { readIndex } from "./index/open-index.ts";
import { type Choose, type ListedSession, listKnown, newestFirst } from "./list-known.ts";
import type { SessionCounts } from "./model/counts.ts";
import type { SessionRow } from "./model/row.ts";
import { locatedRow } from "./model/run-place.ts";
import { belowTest, withFoundParents } from "./model/session-links.ts";
import {
	defaultCacheDir,
	defaultStateDir,
	findSessionRoots,
	type ListOptions,
	rootOf,
	type SessionRoots,
} from "./model/session-roots.ts";
import { type CatalogHere, openCatalogHere } from "./sync/catalog-here.ts";
import { mayBeRun, NamedRuns } from "./sync/named-runs.ts";
import { learnStored } from "./sync/stored-names.ts";

const everything: Choose = (all) => all;

/** All sessions of all projects, most recently modified first. Rejects with the signal's reason when aborted. */
export async function listAll(options: ListOptions = {}): Promise<SessionRow[]> {
	return (await listKnown(everything, options)) ?? listRead(everything, options);
}

/** The rows of the sessions that `choose` picks, after reading what has changed. */
export async function listRead(choose: Choose, options: ListOptions): Promise<SessionRow[]> {
	const rowsOf = (rows: ReadonlyMap<string, SessionRow>): SessionRow[] => newest(rows, options, choose);
	const here = await withCatalogHere(options, { numbers: false }, ({ rows }) => rowsOf(rows));
	if (here !== undefined) return here;
	const read = await withCatalog(options, { numbers: false }, async (catalog) => {
		const rows = collectRows(catalog, options);
		await untilAborted(catalog.listed(), options.signal);
		return rows;
	});
	if (!read.values().some((row) => mayBeRun(row) || row.tells)) return rowsOf(read);
	// Only what other sessions tell of them says whether they are runs.
	const { rows } = await listCounted({ ...options, archived: true });
	return rowsOf(new Map(rows.map((row) => [row.path, row])));
}

/**
 * Marks rows as runs of subagents, by their paths and by what the sessions that asked for them tell, as far as the index knows
 * that. All sessions are listed only for a row with the name of a run, and once.
 */
export function runMarker(sessionRoots: SessionRoots, options: ListOptions): (row: SessionRow) => Promise<SessionRow> {
	let listed: Promise<ReadonlyMap<string, SessionRow>> | undefined;
	const listByPath = async (): Promise<ReadonlyMap<string, SessionRow>> => {
		const rows = await listAll({ ...options, archived: true });
		return new Map(rows.map((row) => [row.path, row]));
	};
	let known: Promise<NamedRuns> | undefined;
	return async (row) => {
		const located = locatedRow(row, sessionRoots);
		if (!mayBeRun(located)) {
			known ??= namedRunsInIndex(sessionRoots, options);
			return (await known).marked([located])[0] ?? located;
		}
		listed ??= listByPath();
		const run = (await listed).get(row.path)?.run;
		return run === undefined ? located : { ...located, run };
	};
}

/** The runs that sessions report, as far as the index knows; none if there is no index, or it is damaged. */
async function namedRunsInIndex(
	sessionRoots: SessionRoots,
	{ cacheDir, env = process.env, home = homedir() }: ListOptions,
): Promise<NamedRuns> {
	const named = new NamedRuns();
	await readIndex(cacheDir ?? defaultCacheDir(env, home), (db) => learnStored(named, db, rootOf(sessionRoots)));
	return named;
}

/** The rows that `choose` picks, most recently modified first. */
function newest(rows: ReadonlyMap<string, SessionRow>, options: ListOptions, choose = everything): SessionRow[] {
	const isBelow = belowTest(new Map(rows.values().map(({ path, run }) => [path, run])));
	const listed = withFoundParents(rows)
		.values()
		.map((row) => listedOf(row, isBelow(row.path)));
	return choose(newestFirst([...listed], options)).map(({ row }) => row);
}

function listedOf(row: SessionRow, isRun: boolean): ListedSession & { readonly row: SessionRow } {
	const { path, modified, diagnostics, archived = false } = row;
	return { path, modifiedMs: modified.getTime(), damaged: isDamaged(diagnostics), archived, isRun, row };
}

/** Like `listAll`, with the counts of each session, by path, after all of them have been counted. */
export async function listCounted(options: ListOptions = {}): Promise<CountedRows> {
	const countedOf = ({ rows, counts }: Pick<CatalogHere, "rows" | "counts">): CountedRows => {
		return { rows: newest(rows, options), counts };
	};
	const here = await withCatalogHere(options, { numbers: true }, countedOf);
	if (here !== undefined) return here;
	return withCatalog(options, { numbers: true }, async (catalog) => {
		const counts = new Map<string, SessionCounts>();
		const rows = collectRows(catalog, options, counts);
		await untilAborted(catalog.counted(), options.signal);
		return countedOf({ rows, counts });
	});
}

/** Rows, newest first, and the counts of their sessions by path. */
interface CountedRows {
	readonly rows: readonly SessionRow[];
	readonly counts: ReadonlyMap<string, SessionCounts>;
}

/** What `work` makes of all sessions if this thread may read them; undefined if the catalog's thread has to. */
export async function withCatalogHere<Result>(
	options: ListOptions,
	{ numbers }: { readonly numbers: boolean },
	work: (catalog: CatalogHere) => Result,
): Promise<Result | undefined> {
	const { blocking = false, sessionDir, env = process.env, cwd, home = homedir(), signal } = options;
	if (!blocking) return undefined;
	signal?.throwIfAborted();
	const { cacheDir = defaultCacheDir(env, home) } = options;
	const sessionRoots = await findSessionRoots({ sessionDirFlag: sessionDir, env, cwd, home, cacheDir });
	const catalog = await openCatalogHere({
		...options,
		sessionRoots,
		cacheDir,
		stateDir: defaultStateDir(env, home),
		numbers,
	});
	try {
		return catalog && work(catalog);
	} finally {
		await catalog?.close();
	}
}

/** Opens a catalog for some work, and closes it afterwards. */
export async function withCatalog<Result>(
	{ sessionDir, signal, env, cwd, home, cacheDir }: ListOptions,
	{ numbers }: { readonly numbers: boolean },
	work: (catalog: Catalog) => Promise<Result>,
): Promise<Result> {
	signal?.throwIfAborted();
	const sessionRoots = await findSessionRoots({ sessionDirFlag: sessionDir, env, cwd, home, cacheDir });
	const catalog = openCatalog({ sessionRoots, cacheDir, watch: false, numbers });
	try {
		return await work(catalog);
	} finally {
		await catalog.close();
	}
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
