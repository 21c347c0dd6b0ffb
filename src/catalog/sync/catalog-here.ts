import { isIndexFailure, unlessIndexFails } from "../index/sqlite.ts";
import { LiveSessions, liveSources } from "../live/live-sessions.ts";
import type { SessionCounts } from "../model/counts.ts";
import type { CatalogEvent, CatalogProblem } from "../model/event.ts";
import type { LiveReport } from "../model/live.ts";
import type { SessionRow } from "../model/row.ts";
import { isSessionPath, locatedRows } from "../model/run-place.ts";
import { runsIn } from "../model/session-links.ts";
import { type ListOptions, rootOf, type SessionRoots } from "../model/session-roots.ts";
import { aggregateStats, type CatalogStats, statsFileOf } from "../stats/aggregate-stats.ts";
import { cannotCount, NumbersPass } from "../stats/numbers-pass.ts";
import { countedNumbers, NumbersTable } from "../stats/numbers-table.ts";
import type { SessionNumbers } from "../stats/session-numbers.ts";
import { NamedRuns } from "./named-runs.ts";
import { MIN_BYTES } from "./read-queue.ts";
import { Scanner, TooMuchToRead } from "./scanner.ts";
import { learnStored } from "./stored-names.ts";

interface HereOptions extends Pick<ListOptions, "onProgress" | "onProblems" | "onCounting" | "signal"> {
	readonly sessionRoots: SessionRoots;
	readonly cacheDir: string;
	readonly stateDir: string;
	/** Whether what the sessions contain and cost is counted as well. */
	readonly numbers: boolean;
}

/** All sessions as they were when this was opened. */
export interface CatalogHere {
	/** By path. */
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** By path; empty unless they were counted. */
	readonly counts: ReadonlyMap<string, SessionCounts>;
	/** Sums over the sessions that are asked for, as far as they have been counted. */
	stats(isAsked: (row: SessionRow) => boolean): CatalogStats;
	/** Checks again what is in use, and who has these sessions open; reads those that have changed. */
	checkUse(paths: readonly string[]): LiveReport;
	close(): Promise<void>;
}

/**
 * Lists all sessions once in this thread, and stores what was read in the index: with little to read that takes less time than
 * starting the catalog's thread. A file is read in one piece, so it is for where no screen waits. Undefined if there is much to
 * read, or the index is damaged: then the catalog has to do it. Rejects with the signal's reason when aborted.
 */
export async function openCatalogHere(options: HereOptions): Promise<CatalogHere | undefined> {
	const { sessionRoots, cacheDir, stateDir, numbers, signal } = options;
	const rows = new Map<string, SessionRow>();
	let isDamaged = false;
	let isListed = false;
	let problems: readonly CatalogProblem[] = [];
	const named = new NamedRuns();
	const note = (some: readonly SessionRow[]): void => {
		for (const row of some) rows.set(row.path, row);
	};
	const live = new LiveSessions(liveSources(stateDir, true, sessionRoots));
	const scanner = new Scanner({
		sessionRoots,
		cacheDir,
		mostBytes: MIN_BYTES,
		emit(event: CatalogEvent) {
			if (event.type === "rows") note(named.marked(locatedRows(event.rows, scanner.sessionRoots)));
			else if (event.type === "gone") for (const path of event.paths) rows.delete(path);
			else if (event.type === "progress") options.onProgress?.(event.read, event.total);
			else if (event.type === "problems") problems = event.problems;
		},
		onRead(read) {
			if (isListed) live.changed(read);
		},
		onDamage() {
			isDamaged = true;
		},
	});
	// It ends at its next turn.
	const stop = (): void => void scanner.close();
	signal?.addEventListener("abort", stop, { once: true });
	let catalog: CatalogHere | undefined;
	try {
		await scanner.open(-1);
		signal?.throwIfAborted();
		await scanner.refresh();
		await scanner.refreshProjects({ all: false });
		signal?.throwIfAborted();
		isListed = true;
		scanner.store();
		// Counting tells as much.
		const isKnown = !numbers && learnNames(named, scanner, rootOf(sessionRoots), note);
		let counts = isKnown ? new Map<string, SessionCounts>() : await countAll(scanner, options);
		// What is found elsewhere may tell of more runs.
		for (let size = -1; counts !== undefined && counts.size > size; ) {
			size = counts.size;
			const { rows: runs, files } = named.learn([...counts]);
			note(runs);
			const unsought = files.filter((path) => !isSessionPath(path, scanner.sessionRoots));
			if (unsought.length === 0) break;
			scanner.readNow(unsought);
			if (rows.size > size) counts = await countAll(scanner, options);
		}
		signal?.throwIfAborted();
		// Rows of a damaged index may belong to no session, or hide one.
		const paths = scanner.paths();
		const isWhole = paths.length === rows.size && paths.every((path) => rows.has(path));
		if (isDamaged || counts === undefined || !isWhole) return undefined;
		options.onProblems?.(problems);
		catalog = {
			rows,
			counts,
			stats: (isAsked) => {
				const numbers = scanner.db && countedNumbers(scanner.db, rootOf(sessionRoots), counts);
				return statsOf([...rows.values()], numbers ?? new Map(), isAsked);
			},
			checkUse(paths) {
				scanner.readNow(paths);
				return live.report(() => scanner.newest(), paths);
			},
			close: () => scanner.close(),
		};
		return catalog;
	} catch (error) {
		if (error instanceof TooMuchToRead) return undefined;
		throw error;
	} finally {
		signal?.removeEventListener("abort", stop);
		if (catalog === undefined) await scanner.close();
	}
}

/** Learns what the index says of runs whose paths do not say whose they are; returns whether that is all there is to know. */
function learnNames(
	named: NamedRuns,
	{ db }: Scanner,
	root: string,
	note: (rows: readonly SessionRow[]) => void,
): boolean {
	const isClear = named.unexplained().length === 0;
	const learned = db && unlessIndexFails(() => learnStored(named, db, root));
	note(learned?.rows ?? []);
	return learned?.isAll ?? isClear;
}

/**
 * Counts what is missing; returns all counts, or undefined if there is too much to read, or something keeps them from being
 * stored.
 */
async function countAll(
	scanner: Scanner,
	{ sessionRoots, onCounting, signal }: HereOptions,
): Promise<Map<string, SessionCounts> | undefined> {
	const { db } = scanner;
	const root = rootOf(sessionRoots);
	if (db === undefined) return undefined;
	const counts = new Map<string, SessionCounts>();
	const uncounted: CatalogProblem[] = [];
	let isDone = false;
	const pass = new NumbersPass({
		db,
		root,
		timeSlice: scanner.timeSlice,
		onRow: (path, row) => scanner.correctRow(path, row),
		onCounts(counted) {
			for (const [path, one] of counted) counts.set(path, one);
		},
		// Another program holds the index, or a session is being written: the catalog would wait.
		onDue: () => undefined,
		onProgress: (counted, total) => onCounting?.(counted, total),
		onProblem: (path, error) => uncounted.push(cannotCount(path, error)),
		onDone() {
			isDone = true;
		},
	});
	const stop = (): void => void pass.close();
	signal?.addEventListener("abort", stop, { once: true });
	try {
		const bytes = new NumbersTable(db, root).pending().reduce((sum, { size }) => sum + size, 0);
		if (bytes > MIN_BYTES) return undefined;
		await pass.run();
	} catch (error) {
		if (!isIndexFailure(error)) throw error;
		return undefined;
	} finally {
		signal?.removeEventListener("abort", stop);
		await pass.close();
	}
	scanner.flush();
	scanner.events.problems("counting", uncounted);
	return isDone ? counts : undefined;
}

function statsOf(
	all: readonly SessionRow[],
	numbers: ReadonlyMap<string, SessionNumbers>,
	isAsked: (row: SessionRow) => boolean,
): CatalogStats {
	return aggregateStats(all.filter(isAsked).map(statsFileOf), numbers, runsIn(all));
}
