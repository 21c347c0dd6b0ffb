import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { runToEnd } from "../../shared/steps.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";
import type { ByteSpan } from "../branches/branch-tracker.ts";
import { type Branches, BranchGatherer, readBranches } from "../branches/read-branches.ts";
import { accentsOf } from "../index/accents-mark.ts";
import {
	allContents,
	type SessionContent,
	type StoredContent,
	sameContent,
	UNKNOWN_CONTENT,
} from "../index/content-table.ts";
import { storedDirectories } from "../index/directory-table.ts";
import { indexPath, openExistingIndex, openIndex } from "../index/open-index.ts";
import { type LearnedFile, SearchedTable } from "../index/searched-table.ts";
import { SessionTable } from "../index/session-table.ts";
import { isIndexFailure, unlessIndexFails } from "../index/sqlite.ts";
import { mayHaveWord } from "../index/word-filter.ts";
import type { SessionNames, SessionRow } from "../model/row.ts";
import { defaultCacheDir, type ListOptions, rootOf, type SessionRoots } from "../model/session-roots.ts";
import { TITLE_LENGTH } from "../query/propose.ts";
import { unchangedFiles } from "../scan/compare-files.ts";
import { KnownDirectories } from "../scan/known-directories.ts";
import { scanFile } from "../scan/scan-file.ts";
import { isUnchanged, type ScanStamp } from "../scan/scan-stamp.ts";
import type { SessionFile } from "../scan/session-files.ts";
import { abandonedSpans } from "../stats/numbers-table.ts";
import { type LineMatch, labeledIds, withBranch } from "./match-line.ts";
import type { Hit } from "./search.ts";

/** The rows of single sessions: from the index if they are up to date there, else by reading the file. */
export interface StoredRows {
	/** The files of the index, by path; undefined if there is no index, or it is damaged. */
	readonly known: ReadonlyMap<string, ScanStamp> | undefined;
	/**
	 * The files of the index, newest first, if `findSessionFiles` would find just these, unchanged, and report nothing: to compare them
	 * with the disk takes half as long. Blocks its thread.
	 */
	unchangedFiles(): readonly SessionFile[] | undefined;
	rowOf(file: SessionFile): SessionRow;
	/** The row, if the file need not be read for it. */
	knownRowOf(file: SessionFile): SessionRow | undefined;
	/** The time of modification in its row, in Unix ms, if the file need not be read for it. */
	knownModifiedOf(file: SessionFile): number | undefined;
	/** Tests whether a session whose time of modification is known may have a folded word in its title. */
	titledWith(needle: string): (file: SessionFile) => boolean;
	/** Tests whether the person may have said a word in a session, as a whole word (`plainWordOf`). */
	saidWith(word: string): (file: SessionFile) => boolean;
	/** Whether each line of a session is known to be readable. */
	isSound(file: SessionFile): boolean;
	scan(path: string): SessionRow;
	/** What names these sessions, if no file must be read for it. */
	knownNamesOf(files: readonly SessionFile[]): readonly SessionNames[] | undefined;
	/** The rows of all these files; undefined if much would have to be read for them. */
	rowsOf(files: readonly SessionFile[]): readonly SessionRow[] | undefined;
	/** Whether the file may have letters with accents; undefined if unknown. */
	accentsOf(file: SessionFile): boolean | undefined;
	/** A hit with its branch. */
	withBranch(match: LineMatch, file: SessionFile): Hit;
	/** How many of these are known to be damaged, from the index or because they were read. */
	damaged(files: readonly SessionFile[]): number;
	/**
	 * Prepares to store in the index what this search of all `files` has found out: what was read of them, and their `accents` by
	 * path. The result stores it, after the answer; if another program is writing, or the index is damaged, it does nothing.
	 * It never rejects because of the index.
	 */
	prepareStore(
		files: readonly SessionFile[],
		accents: Iterable<readonly [path: string, accents: boolean]>,
	): () => Promise<void>;
	close(): void;
}

/** Words that JSON writes in one way, of which each text that has one also has it in JSON. */
const PLAIN_WORD = /^[a-z0-9_-]+$/;
/** Bytes of files that are read for their rows alone, where all rows are wanted only to say more about the answer. */
const MOST_READ = 100_000_000;

/** Opens the index, if there is one, for reading. Damaged parts count as absent: the files are read instead. */
export async function openStoredRows(options: ListOptions, sessionRoots: SessionRoots): Promise<StoredRows> {
	const { cacheDir, env = process.env, home = homedir() } = options;
	const directory = cacheDir ?? defaultCacheDir(env, home);
	const db = await openExistingIndex(directory);
	const root = rootOf(sessionRoots);
	const table = db && new SessionTable(db, root);
	const known = unlessIndexFails(() => table?.listed());
	const spansOf = unlessIndexFails(() => db && abandonedSpans(db, root));
	const searchedTable = db && new SearchedTable(db, root);
	const searched = unlessIndexFails(() => searchedTable?.known());
	const read = new Map<string, SessionRow>();
	const abandonedIn = new Map<string, readonly ByteSpan[]>();
	const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
	const scan = (path: string): SessionRow => {
		const row = read.get(path) ?? scanFile(path, undefined, buffer).row;
		read.set(path, row);
		return row;
	};
	const idOf = (file: SessionFile): number | undefined => {
		const stored = known?.get(file.path);
		return stored && isUnchanged(stored, file) ? stored.id : undefined;
	};
	let contents: ReadonlyMap<number, StoredContent> | undefined;
	const contentIn = (file: SessionFile): SessionContent => {
		contents ??= unlessIndexFails(() => db && allContents(db)) ?? new Map();
		const id = idOf(file);
		const content = id === undefined ? undefined : contents.get(id);
		return content !== undefined && sameContent(content, file) ? content : UNKNOWN_CONTENT;
	};
	/** The result of an earlier search about an unchanged file. */
	const searchedOf = <Found>(file: SessionFile, ask: (table: SearchedTable) => Found): Found | undefined =>
		searchedTable && isUnchanged(searched?.get(file.path), file)
			? unlessIndexFails(() => ask(searchedTable))
			: undefined;
	const storedRow = (file: SessionFile): SessionRow | undefined => {
		const id = idOf(file);
		const row = id === undefined ? undefined : unlessIndexFails(() => table?.rowOf(id));
		return row ?? searchedOf(file, (of) => of.rowOf(file.path));
	};
	const knownRows = (files: readonly SessionFile[]): readonly (SessionRow | undefined)[] => {
		const stored = files.flatMap((file) => {
			const id = idOf(file);
			return id === undefined ? [] : [{ id, path: file.path }];
		});
		// All at once, if none is damaged.
		const rows = new Map(unlessIndexFails(() => table?.rowsOf(stored))?.map((row) => [row.path, row]));
		return files.map((file) => rows.get(file.path) ?? read.get(file.path) ?? storedRow(file));
	};
	/** If a session's row and branches are both unknown, one reading provides both. */
	const readBranchesOf = (file: SessionFile, ids: readonly string[]): Branches => {
		if (read.has(file.path) || storedRow(file) !== undefined) return runToEnd(readBranches(file.path, ids, buffer));
		const gatherer = new BranchGatherer(ids);
		read.set(file.path, scanFile(file.path, undefined, buffer, (line) => gatherer.add(line)).row);
		return gatherer.finish();
	};
	const branchesOf = (file: SessionFile, ids: readonly string[]): Branches => {
		const branches = readBranchesOf(file, ids);
		abandonedIn.set(file.path, branches.abandoned);
		return branches;
	};
	/** Not for labels: the index does not have the offset of a labeled entry. */
	const storedSpans = (file: SessionFile): readonly ByteSpan[] | undefined =>
		abandonedIn.get(file.path) ??
		// Only if the file is unchanged since it was indexed.
		(idOf(file) === undefined ? undefined : unlessIndexFails(() => spansOf?.(file.path, file.size))) ??
		searchedOf(file, (of) => of.abandonedOf(file.path));
	return {
		known,
		unchangedFiles() {
			const directories = unlessIndexFails(() => db && storedDirectories(db, root));
			if (known === undefined || directories === undefined) return undefined;
			return unchangedFiles(sessionRoots, known, new KnownDirectories(directories));
		},
		rowOf: (file) => read.get(file.path) ?? storedRow(file) ?? scan(file.path),
		knownRowOf: (file) => read.get(file.path) ?? storedRow(file),
		knownModifiedOf(file) {
			const listed = known?.get(file.path);
			if (listed !== undefined && isUnchanged(listed, file)) return listed.modifiedMs;
			return (read.get(file.path) ?? storedRow(file))?.modified.getTime();
		},
		titledWith(needle) {
			const paths = PLAIN_WORD.test(needle) ? unlessIndexFails(() => table?.pathsWith(needle)) : undefined;
			return (file) => idOf(file) === undefined || paths?.has(file.path) !== false;
		},
		saidWith(word) {
			const has = mayHaveWord(word);
			return (file) => has(contentIn(file).said);
		},
		isSound(file) {
			return contentIn(file).sound;
		},
		scan,
		knownNamesOf(files) {
			const names = unlessIndexFails(() => table?.names(TITLE_LENGTH));
			const storedNames = (file: SessionFile) => (idOf(file) === undefined ? undefined : names?.get(file.path));
			const known = files.flatMap((file) => storedNames(file) ?? read.get(file.path) ?? storedRow(file) ?? []);
			return known.length === files.length ? known : undefined;
		},
		rowsOf(files) {
			const known = knownRows(files);
			const unknown = files.reduce((sum, { size }, at) => sum + (known[at] === undefined ? size : 0), 0);
			if (unknown > MOST_READ) return undefined;
			return files.map(({ path }, at) => known[at] ?? scan(path));
		},
		accentsOf(file) {
			const counted = known?.get(file.path);
			if (counted?.accents !== undefined && isUnchanged(counted, file)) return counted.accents;
			const found = searched?.get(file.path);
			return found && isUnchanged(found, file) ? accentsOf(found.accents, file) : undefined;
		},
		withBranch(match, file) {
			const ids = labeledIds([match]);
			const abandoned = ids.length === 0 ? storedSpans(file) : undefined;
			return withBranch(match, abandoned ? { abandoned, labeled: new Map() } : branchesOf(file, ids));
		},
		damaged(files) {
			const paths = new Set(unlessIndexFails(() => table?.damaged()));
			for (const { path, damaged } of searched?.values() ?? [])
				if (damaged === 1 && known?.has(path) !== true) paths.add(path);
			for (const [path, { diagnostics }] of read) {
				if (isDamaged(diagnostics)) paths.add(path);
				else paths.delete(path);
			}
			return files.filter(({ path }) => paths.has(path)).length;
		},
		prepareStore(files, accents) {
			const accentsIn = new Map(accents);
			const learned = files.flatMap((file): LearnedFile[] => {
				const { path } = file;
				const found = { accents: accentsIn.get(path), row: read.get(path), abandoned: abandonedIn.get(path) };
				return Object.values(found).every((one) => one === undefined) ? [] : [{ ...file, ...found }];
			});
			const there = new Set(files.map(({ path }) => path));
			const gone = [...(searched?.keys() ?? [])].filter((path) => !there.has(path));
			const isUsable = db !== undefined || !existsSync(indexPath(directory));
			return async () => {
				if (isUsable && learned.length + gone.length > 0) await storeLearned(directory, root, learned, gone);
			};
		},
		close: () => db?.close(),
	};
}

async function storeLearned(
	cacheDir: string,
	root: string,
	learned: readonly LearnedFile[],
	gone: readonly string[],
): Promise<void> {
	const { db, file } = await openIndex(cacheDir);
	try {
		if (file === undefined) return;
		// Another writer's data matters more than this.
		db.exec("PRAGMA busy_timeout = 0");
		const table = new SearchedTable(db, root);
		table.store(learned);
		table.clean(gone);
	} catch (error) {
		// The next search reads the files again.
		if (!isIndexFailure(error)) throw error;
	} finally {
		db.close();
	}
}
