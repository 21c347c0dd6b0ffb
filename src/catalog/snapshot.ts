import type { DatabaseSync } from "node:sqlite";
import { TimeSlice } from "../shared/steps.ts";
import { readHeader } from "../store/read/read-header.ts";
import { countsWithRuns, hasUncounted, mayHaveNamedRuns } from "./index/counted-runs.ts";
import { IndexReader, updateIndex } from "./index/open-index.ts";
import { IndexTable, type StoredFile, storedIds } from "./index/session-table.ts";
import type { CatalogProblem } from "./model/event.ts";
import type { RunPlace, SessionRow } from "./model/row.ts";
import { locatedRows, runAt } from "./model/run-place.ts";
import { belowTest } from "./model/session-links.ts";
import {
	archiveTest,
	cacheDirOf,
	findSessionRoots,
	type ListOptions,
	rootOf,
	type SessionRoots,
} from "./model/session-roots.ts";
import { listed } from "./model/visibility.ts";
import { isUnchanged } from "./scan/scan-stamp.ts";
import { type FoundFiles, findSessionFiles, type SessionFile } from "./scan/session-files.ts";
import { NamedRuns, needsReports } from "./sync/named-runs.ts";

/** What a list orders and counts a session by. */
export interface ListedSession {
	readonly path: string;
	/** Unix ms. */
	readonly modifiedMs: number;
	/** Whether something of the session is lost. */
	readonly damaged: boolean;
	readonly archived: boolean;
	/** Whether it is the session of a subagent below another session that is there. */
	readonly isRun: boolean;
}

/** Picks the sessions whose rows are wanted from all of them, which it gets most recently modified first. */
export type Choose = <Listed extends ListedSession>(all: readonly Listed[]) => readonly Listed[];

interface StoredIndex {
	readonly index: IndexReader;
	readonly table: IndexTable | undefined;
	readonly stored: ReadonlyMap<string, StoredFile>;
}

/**
 * All session files of the disk beside what the index says of them. Rows come from the index when they are asked for; only
 * `noteHidden` writes to it. Where the index is of no use, no file is stored.
 */
export class Snapshot {
	readonly sessionRoots: SessionRoots;
	readonly #cacheDir: string;
	/** Newest first. */
	readonly files: readonly SessionFile[];
	/** What is wrong with some of them, or with the settings. */
	readonly problems: readonly CatalogProblem[];
	/** The files of the index, by path, as they were when they were read. */
	readonly stored: ReadonlyMap<string, StoredFile>;
	/** Whether some files or directories could not be looked at. */
	readonly #isUnsure: boolean;
	readonly #index: IndexReader;
	readonly #table: IndexTable | undefined;
	/** All rows, once they were read to find whose runs they are. */
	#rows: ReadonlyMap<string, SessionRow> | undefined;

	private constructor(
		sessionRoots: SessionRoots,
		cacheDir: string,
		{ index, table, stored }: StoredIndex,
		{ files, problems, unsure }: FoundFiles,
	) {
		this.sessionRoots = sessionRoots;
		this.#cacheDir = cacheDir;
		this.files = files;
		this.problems = [...sessionRoots.problems, ...problems];
		this.stored = stored;
		this.#isUnsure = unsure.size > 0;
		this.#index = index;
		this.#table = table;
	}

	/** Compares the disk with the index. Rejects with the signal's reason when aborted. */
	static async open(options: ListOptions): Promise<Snapshot> {
		const { signal } = options;
		signal?.throwIfAborted();
		const sessionRoots = await findSessionRoots(options);
		const cacheDir = cacheDirOf(options);
		const index = await IndexReader.open(cacheDir);
		try {
			// The rows are read later and must be of the same state.
			index.read((db) => db.exec("BEGIN"));
			const table = index.read((db) => new IndexTable(db, rootOf(sessionRoots)));
			const stored = index.read(() => table?.files()) ?? new Map();
			const foundFiles = await new TimeSlice().run(findSessionFiles(sessionRoots, stored), signal);
			signal?.throwIfAborted();
			return new Snapshot(sessionRoots, cacheDir, { index, table, stored }, foundFiles);
		} catch (error) {
			index.close();
			throw error;
		}
	}

	/** Undefined if the index does not say it. */
	read<Result>(read: (db: DatabaseSync, root: string) => Result): Result | undefined {
		return this.#index.read((db) => read(db, rootOf(this.sessionRoots)));
	}

	/** The paths of the sessions whose rows in the index have a text, in any case. */
	pathsWith(text: string): ReadonlySet<string> {
		return this.read(() => this.#table?.pathsWith(text)) ?? new Set();
	}

	/** What the index has of a file; undefined if that has changed since, or is new. */
	storedOf(file: SessionFile): StoredFile | undefined {
		const stored = this.stored.get(file.path);
		return stored && isUnchanged(stored, file) ? stored : undefined;
	}

	/** Notes in the index which of the files have lines with characters that do not show; of others than those nothing is noted. */
	async noteHidden(files: readonly StoredFile[], hidden: ReadonlySet<string>): Promise<void> {
		if (files.length === 0) return;
		const root = rootOf(this.sessionRoots);
		await updateIndex(this.#cacheDir, (db) => new IndexTable(db, root).noteHidden(files, hidden));
	}

	/** The row of a file; undefined if the index does not have it as it is. */
	storedRow(file: SessionFile): SessionRow | undefined {
		const stored = this.storedOf(file);
		return stored && this.read(() => this.#table?.rowOf(stored.id));
	}

	/**
	 * All sessions, in no order; undefined unless the index has all files as they are and no others, and knows whose runs they are.
	 * Otherwise what has changed must be written to it, for what was taken out of a session must not stay there.
	 */
	sessions(): readonly (ListedSession & StoredFile)[] | undefined {
		const isSame = this.files.length === this.stored.size && this.files.every((file) => this.storedOf(file));
		const runs = isSame && !this.#isUnsure ? this.#findRuns() : undefined;
		if (runs === undefined) return undefined;
		const isInArchive = archiveTest(this.sessionRoots);
		const isBelow = belowTest(runs);
		return [...this.stored.values()].map((file) => {
			return { ...file, archived: isInArchive(file.path), isRun: isBelow(file.path) };
		});
	}

	/** The rows of some of the listed sessions, in this order; undefined if the index is damaged. */
	rowsOf(files: readonly StoredFile[]): readonly SessionRow[] | undefined {
		if (this.#rows !== undefined) return files.flatMap(({ path }) => this.#rows?.get(path) ?? []);
		const rows = this.read(() => this.#table?.rowsOf(files));
		return rows && locatedRows(rows, this.sessionRoots);
	}

	close(): void {
		this.#index.close();
	}

	/** By path what is known of each as a run; undefined if only counting tells. */
	#findRuns(): ReadonlyMap<string, RunPlace | undefined> | undefined {
		const runs = new Map(this.stored.keys().map((path) => [path, runAt(path, this.sessionRoots)]));
		const isLost = runs.values().some((run) => run !== undefined && run.parent === undefined);
		return this.read((db, root) => {
			// Most people have runs below their parents only, and their paths say so.
			if (!isLost && !mayHaveNamedRuns(db, root)) return runs;
			const stored = this.#table?.rowsOf([...this.stored.values()]) ?? [];
			const rows = locatedRows(stored, this.sessionRoots);
			const named = new NamedRuns();
			named.marked(rows);
			named.learn(countsWithRuns(db, root));
			const marked = named.marked(rows);
			if (marked.some(needsReports) && hasUncounted(db, root)) return undefined;
			this.#rows = new Map(marked.map((row) => [row.path, row]));
			return new Map(this.#rows.values().map(({ path, run }) => [path, run]));
		});
	}
}

/**
 * The rows of the sessions that `choose` picks, if a snapshot has them all; otherwise undefined. The other rows are not read, and no
 * thread is started, which takes as long as all of this.
 */
export function listKnown(choose: Choose, options: ListOptions): Promise<SessionRow[] | undefined> {
	return withKnown(options, (all, snapshot) => {
		const rows = snapshot.rowsOf(choose(all));
		if (rows === undefined) return undefined;
		options.onProblems?.(snapshot.problems);
		options.onProgress?.(snapshot.stored.size, snapshot.stored.size);
		return [...rows];
	});
}

/**
 * Whether one of the sessions is the one that is looked for. `isFound` gets their rows one by one, most recently modified first, and
 * those behind it are not read. Undefined if a snapshot does not have them all.
 */
export function searchKnown(isFound: (row: SessionRow) => boolean, options: ListOptions): Promise<boolean | undefined> {
	return withKnown(options, (all, snapshot) => {
		for (const file of all) {
			const [row] = snapshot.rowsOf([file]) ?? [];
			if (row === undefined) return undefined;
			if (isFound(row)) return true;
		}
		return false;
	});
}

async function withKnown<Result>(
	options: ListOptions,
	work: (all: readonly (ListedSession & StoredFile)[], snapshot: Snapshot) => Result,
): Promise<Result | undefined> {
	const snapshot = await Snapshot.open(options);
	try {
		const all = snapshot.sessions();
		return all && work(newestFirst(all, options), snapshot);
	} finally {
		snapshot.close();
	}
}

/** A session's file, and the id in its header. */
export interface SessionId {
	readonly path: string;
	readonly id: string;
}

/** The ids of all sessions, archived ones included, most recently written first. Of the files that are new, or have changed since they were indexed, those are read that `isAsked` names. */
export async function listIds(
	options: ListOptions,
	isAsked = (_path: string): boolean => true,
): Promise<readonly SessionId[]> {
	const snapshot = await Snapshot.open(options);
	try {
		const stored = snapshot.read(storedIds);
		return snapshot.files.flatMap((file) => {
			const { path } = file;
			const id = (snapshot.storedOf(file) && stored?.get(path)) ?? (isAsked(path) ? readHeader(path)?.id : undefined);
			return id === undefined || id === "" ? [] : [{ path, id }];
		});
	} finally {
		snapshot.close();
	}
}

/** In the order of every list; without the archived ones unless they are asked for. */
export function newestFirst<Session extends ListedSession>(all: readonly Session[], options: ListOptions): Session[] {
	const visible = listed(all, { archived: options.archived ? "also" : "none", runs: true });
	return visible.sort((a, b) => b.modifiedMs - a.modifiedMs);
}
