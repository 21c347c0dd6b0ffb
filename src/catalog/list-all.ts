import { isDirectoryTyped } from "../store/files/paths.ts";
import { isDamaged } from "../store/format/diagnostic.ts";
import { type Catalog, openCatalog } from "./catalog.ts";
import { countsWithRuns } from "./index/counted-runs.ts";
import { readIndex } from "./index/open-index.ts";
import type { SessionCounts } from "./model/counts.ts";
import type { SessionRow } from "./model/row.ts";
import { locatedRow } from "./model/run-place.ts";
import { belowTest, findLinks, headOf, withFoundParents } from "./model/session-links.ts";
import {
	cacheDirOf,
	defaultStateDir,
	findSessionRoots,
	type ListOptions,
	rootOf,
	type SessionRoots,
} from "./model/session-roots.ts";
import { type Choose, type ListedSession, listKnown, newestFirst } from "./snapshot.ts";
import type { CatalogStats } from "./stats/aggregate-stats.ts";
import { mayBeRun, NamedRuns, needsReports } from "./sync/named-runs.ts";

const everything: Choose = (all) => all;

/** All sessions of all projects, most recently modified first. Rejects with the signal's reason when aborted. */
export async function listAll(options: ListOptions = {}): Promise<SessionRow[]> {
	return (await listKnown(everything, options)) ?? listRead(everything, options);
}

/** The rows of the sessions that `choose` picks, after reading what has changed. */
export function listRead(choose: Choose, options: ListOptions): Promise<SessionRow[]> {
	return withListing(options, { numbers: false }, ({ rows }) => newest(rows, options, choose));
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
	let namedRuns: Promise<NamedRuns> | undefined;
	return async (row) => {
		const located = locatedRow(row, sessionRoots);
		if (!mayBeRun(located)) {
			namedRuns ??= namedRunsInIndex(sessionRoots, options);
			return (await namedRuns).marked([located])[0] ?? located;
		}
		listed ??= listByPath();
		const run = (await listed).get(row.path)?.run;
		return run === undefined ? located : { ...located, run };
	};
}

async function namedRunsInIndex(sessionRoots: SessionRoots, options: ListOptions): Promise<NamedRuns> {
	const root = rootOf(sessionRoots);
	const counts = await readIndex(cacheDirOf(options), (db) => countsWithRuns(db, root));
	const named = new NamedRuns();
	named.learn(counts ?? []);
	return named;
}

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

/** Rows, newest first, and the counts of their sessions by path. */
interface CountedRows {
	readonly rows: readonly SessionRow[];
	readonly counts: ReadonlyMap<string, SessionCounts>;
}

/** Like `listAll`, with the counts of each session, by path, after all of them have been counted. */
export function listCounted(options: ListOptions = {}): Promise<CountedRows> {
	return withListing(options, { numbers: true }, ({ rows, counts }) => ({ rows: newest(rows, options), counts }));
}

interface StatsOptions extends ListOptions {
	/** Selects the sessions. @default all */
	readonly isAsked?: ((row: SessionRow) => boolean) | undefined;
	/** Whether all of the families of these are summed up, the sessions that started them and all of their runs. @default false */
	readonly wholeFamilies?: boolean;
	/** A day or a month ("2026-01") to which all is limited. @default all time */
	readonly on?: string | undefined;
	readonly onRows?: (rows: ReadonlyMap<string, SessionRow>) => void;
}

/** Sums over the selected sessions, after all of them have been counted. */
export function statsAll(options: StatsOptions = {}): Promise<CatalogStats> {
	const { isAsked, wholeFamilies = false, on } = options;
	return withListing(options, { numbers: true }, ({ catalog, rows }) => {
		const all = [...rows.values()];
		options.onRows?.(rows);
		if (!wholeFamilies || isAsked === undefined) return catalog.stats(all, isAsked, on);
		const links = findLinks(rows);
		const heads = new Set(all.filter(isAsked).map((row) => headOf(row, links)));
		return catalog.stats(all, (row) => heads.has(headOf(row, links)), on);
	});
}

/** All sessions as a catalog has listed them, and keeps them up to date until it is closed. */
export interface Listing {
	/** By path. */
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** By path, those that are known. */
	readonly counts: ReadonlyMap<string, SessionCounts>;
}

/** Reads what has changed of all sessions, also into the index, and does some work with all of them. */
async function withListing<Result>(
	options: ListOptions,
	{ numbers }: { readonly numbers: boolean },
	work: (listing: Listing & { readonly catalog: Catalog }) => Result | Promise<Result>,
): Promise<Result> {
	const { env, home, signal, blocking } = options;
	signal?.throwIfAborted();
	const sessionRoots = await findSessionRoots(options);
	const directories = { cacheDir: cacheDirOf(options), stateDir: defaultStateDir(env, home) };
	const catalog = openCatalog({ sessionRoots, ...directories, watch: false, numbers, blocking });
	try {
		const listing = await untilAborted(listWith(catalog, { ...options, numbers }), signal);
		return await untilAborted(Promise.resolve(work({ catalog, ...listing })), signal);
	} finally {
		await catalog.close();
	}
}

/**
 * Starts a catalog. Resolves when it has listed all sessions and knows whose runs they are, and with `numbers` has counted them.
 */
export async function listWith(
	catalog: Catalog,
	{ numbers, onProgress, onProblems, onCounting }: ListOptions & { readonly numbers: boolean },
): Promise<Listing> {
	const rows = new Map<string, SessionRow>();
	const counts = new Map<string, SessionCounts>();
	catalog.start((event) => {
		if (event.type === "rows") for (const row of event.rows) rows.set(row.path, row);
		else if (event.type === "gone") for (const path of event.paths) rows.delete(path);
		else if (event.type === "progress") onProgress?.(event.read, event.total);
		else if (event.type === "counts") for (const [path, one] of event.counts) counts.set(path, one);
		else if (event.type === "counting") onCounting?.(event.counted, event.total);
		else if (event.type === "problems") onProblems?.(event.problems);
	});
	await catalog.listed();
	// Only what other sessions tell of some says whether they are runs, and counting reads it.
	const isClear = !rows.values().some(needsReports);
	if (numbers || !isClear) await catalog.counted();
	return { rows, counts };
}

/** The sessions whose header names the directory `cwd`, most recently modified first. */
export async function list(cwd: string, options: ListOptions = {}): Promise<SessionRow[]> {
	const isAsked = isDirectoryTyped(cwd);
	const rows = await listAll(options);
	return rows.filter((row) => row.cwd !== "" && isAsked(row.cwd));
}

/** Settles like the promise, or rejects with the signal's reason as soon as it is aborted. */
function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
	if (!signal) return promise;
	return new Promise((resolve, reject) => {
		const stop = () => reject(signal.reason);
		if (signal.aborted) stop();
		signal.addEventListener("abort", stop, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
	});
}
