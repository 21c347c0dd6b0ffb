import { homedir } from "node:os";
import { sep } from "node:path";
import { runToEnd } from "../shared/steps.ts";
import type { RunReport } from "./families/run-report.ts";
import { storedDirectories } from "./index/directory-table.ts";
import { readIndex } from "./index/open-index.ts";
import { type ListedFile, SessionTable } from "./index/session-table.ts";
import type { CatalogProblem } from "./model/event.ts";
import type { SessionRow } from "./model/row.ts";
import { locatedRows, runAt } from "./model/run-place.ts";
import { belowTest } from "./model/session-links.ts";
import {
	archiveTest,
	defaultCacheDir,
	findSessionRoots,
	type ListOptions,
	rootOf,
	type SessionRoots,
} from "./model/session-roots.ts";
import { compareFiles } from "./scan/compare-files.ts";
import { KnownDirectories } from "./scan/known-directories.ts";
import { isUnchanged } from "./scan/scan-stamp.ts";
import { findSessionFiles } from "./scan/session-files.ts";
import { runsAmong } from "./sync/stored-names.ts";

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

/**
 * The rows of the sessions that `choose` picks, if the index has all files as they are and no others; otherwise undefined: then
 * the catalog must write to the index what has changed, for what was taken out of a session must not stay there. The other rows
 * are not read, and no thread is started, which takes as long as all of this.
 */
export async function listKnown(choose: Choose, options: ListOptions): Promise<SessionRow[] | undefined> {
	const { sessionDir, env = process.env, cwd, home = homedir(), cacheDir, signal, onProblems, onProgress } = options;
	signal?.throwIfAborted();
	const sessionRoots = await findSessionRoots({ sessionDirFlag: sessionDir, env, cwd, home, cacheDir });
	return readIndex(cacheDir ?? defaultCacheDir(env, home), (db) => {
		// The rows are read later and must be of the same state.
		db.exec("BEGIN");
		const table = new SessionTable(db, rootOf(sessionRoots));
		const stored = table.listed();
		const directories = new KnownDirectories(storedDirectories(db, rootOf(sessionRoots)));
		const problems = problemsIfSame(sessionRoots, stored, directories);
		if (problems === undefined) return undefined;
		signal?.throwIfAborted();
		const isInArchive = archiveTest(sessionRoots);
		// The path says of most runs that they are some, and whose.
		const placed = [...stored.values()].map((file) => ({ file, run: runAt(file.path, sessionRoots) }));
		const lost = placed.filter(({ run }) => run !== undefined && run.parent === undefined).map(({ file }) => file);
		const unclear = (reports: readonly RunReport[]): readonly SessionRow[] => {
			const ordinary = placed.filter(({ run }) => run === undefined).map(({ file }) => file);
			const some = table.rowsOf([...lost, ...reportedFiles(reports, ordinary)]);
			return locatedRows([...table.mayBeNamedRuns(), ...some], sessionRoots);
		};
		const runs = runsAmong(unclear, db, rootOf(sessionRoots));
		// The sessions that say more must be read first.
		if (runs === undefined) return undefined;
		const isBelow = belowTest(new Map(placed.map(({ file, run }) => [file.path, runs.get(file.path) ?? run])));
		const listed = placed.map(({ file }) => ({
			...file,
			archived: isInArchive(file.path),
			isRun: isBelow(file.path),
		}));
		const all = newestFirst(listed, options);
		const rows = locatedRows(table.rowsOf(choose(all)), sessionRoots).map((row) => {
			const run = runs.get(row.path);
			return run === undefined ? row : { ...row, run };
		});
		onProblems?.([...sessionRoots.problems, ...problems]);
		onProgress?.(stored.size, stored.size);
		return rows;
	});
}

/** The files that are reported as the sessions of runs, by their paths or by the ids in their names. */
function reportedFiles(reports: readonly RunReport[], files: readonly ListedFile[]): readonly ListedFile[] {
	const paths = new Set(reports.map(({ file }) => file));
	const ids = new Set(reports.map(({ sessionId }) => sessionId));
	if (paths.size + ids.size === 0) return [];
	return files.filter(({ path }) => paths.has(path) || ids.has(idInName(path)));
}

/** The id in the name that pi gives to a file: `<time>_<id>.jsonl`. */
function idInName(path: string): string {
	return path.slice(path.indexOf("_", path.lastIndexOf(sep)) + 1, -".jsonl".length);
}

/** What is to be reported of the files, if they are those of the index, unchanged; otherwise undefined. */
function problemsIfSame(
	sessionRoots: SessionRoots,
	stored: ReadonlyMap<string, ListedFile>,
	directories: KnownDirectories,
): readonly CatalogProblem[] | undefined {
	const compared = compareFiles(sessionRoots, stored, directories);
	if (compared !== "unclear") return compared === "same" ? [] : undefined;
	const { files, problems, unsure } = runToEnd(findSessionFiles(sessionRoots, undefined, stored, directories));
	const isSame = files.length === stored.size && files.every((file) => isUnchanged(stored.get(file.path), file));
	return unsure.size > 0 || !isSame ? undefined : problems;
}

/** In the order of every list; without the archived ones unless they are asked for. */
export function newestFirst<Listed extends ListedSession>(all: readonly Listed[], { archived }: ListOptions): Listed[] {
	const listed = archived ? [...all] : all.filter((one) => !one.archived);
	return listed.sort((a, b) => b.modifiedMs - a.modifiedMs);
}
