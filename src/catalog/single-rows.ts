import { homedir } from "node:os";
import type { DatabaseSync } from "node:sqlite";
import { runToEnd } from "../shared/steps.ts";
import { isDamaged } from "../store/format/diagnostic.ts";
import { CHUNK_BYTES } from "../store/read/line-reader.ts";
import { type Branches, BranchGatherer, readBranches } from "./branches/read-branches.ts";
import { storedDirectories } from "./index/directory-table.ts";
import { openExistingIndex } from "./index/open-index.ts";
import { type ListedFile, SessionTable } from "./index/session-table.ts";
import { unlessIndexFails } from "./index/sqlite.ts";
import type { SessionRow } from "./model/row.ts";
import { defaultCacheDir, type ListOptions, rootOf, type SessionRoots } from "./model/session-roots.ts";
import { unchangedFiles } from "./scan/compare-files.ts";
import { KnownDirectories } from "./scan/known-directories.ts";
import { scanFile } from "./scan/scan-file.ts";
import { isUnchanged } from "./scan/scan-stamp.ts";
import type { SessionFile } from "./scan/session-files.ts";
import { type LineMatch, labeledIds, withBranch } from "./search/match-line.ts";
import type { Hit } from "./search/search.ts";
import { abandonedSpans } from "./stats/numbers-table.ts";

/** Opens the index, if there is one, for reading. */
export async function openSingleRows(options: ListOptions, sessionRoots: SessionRoots): Promise<SingleRows> {
	const { cacheDir, env = process.env, home = homedir() } = options;
	return new SingleRows(await openExistingIndex(cacheDir ?? defaultCacheDir(env, home)), sessionRoots);
}

/**
 * The rows of single sessions: from the index if they are up to date there, else by reading the file. What is damaged of the index counts
 * as absent, and the next listing repairs it. Nothing is written.
 */
export class SingleRows {
	/** The files of the index, by path; none if there is no index, or it is damaged. */
	readonly known: ReadonlyMap<string, ListedFile>;
	readonly #db: DatabaseSync | undefined;
	readonly #roots: SessionRoots;
	readonly #table: SessionTable | undefined;
	readonly #spansOf: ReturnType<typeof abandonedSpans> | undefined;
	readonly #read = new Map<string, SessionRow>();
	readonly #branches = new Map<string, Branches>();
	readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);

	constructor(db: DatabaseSync | undefined, sessionRoots: SessionRoots) {
		this.#db = db;
		this.#roots = sessionRoots;
		this.#table = db && new SessionTable(db, rootOf(sessionRoots));
		this.known = unlessIndexFails(() => this.#table?.listed()) ?? new Map();
		this.#spansOf = db && unlessIndexFails(() => abandonedSpans(db, rootOf(sessionRoots)));
	}

	/**
	 * The files of the index, newest first, if `findSessionFiles` would find just these, unchanged, and report nothing: to compare them
	 * with the disk takes half as long. Blocks its thread.
	 */
	unchangedFiles(): readonly SessionFile[] | undefined {
		const db = this.#db;
		const directories = db && unlessIndexFails(() => storedDirectories(db, rootOf(this.#roots)));
		if (directories === undefined || this.known.size === 0) return undefined;
		return unchangedFiles(this.#roots, this.known, new KnownDirectories(directories));
	}

	rowOf(file: SessionFile): SessionRow {
		const stored = this.#storedOf(file);
		const row = this.#read.get(file.path) ?? unlessIndexFails(() => stored && this.#table?.rowOf(stored.id));
		return row ?? this.#scan(file);
	}

	/** The time of a session in the list's order, in Unix ms; that of the file if only reading it would tell. */
	modifiedOf(file: SessionFile): number {
		return this.#read.get(file.path)?.modified.getTime() ?? this.#storedOf(file)?.modifiedMs ?? file.mtimeMs;
	}

	/** A test for the sessions whose row in the index has all of these words, in any case; none if there is no index. */
	namedWith(words: readonly string[]): (file: SessionFile) => boolean {
		const paths = words.map((word) => unlessIndexFails(() => this.#table?.pathsWith(word)));
		return ({ path }) => paths.length > 0 && paths.every((some) => some?.has(path));
	}

	/** A hit with its branch. */
	withBranch(match: LineMatch, file: SessionFile): Hit {
		const ids = labeledIds([match]);
		// The index does not have the offset of a labeled entry.
		const isStored = ids.length === 0 && this.#storedOf(file) !== undefined;
		const abandoned = isStored ? unlessIndexFails(() => this.#spansOf?.(file.path, file.size)) : undefined;
		return withBranch(match, abandoned ? { abandoned, labeled: new Map() } : this.#branchesOf(file, ids));
	}

	/** How many of these are known to be damaged, from the index or because they were read. */
	damaged(files: readonly SessionFile[]): number {
		const isBad = ({ path }: SessionFile): boolean => {
			const row = this.#read.get(path);
			return row === undefined ? this.known.get(path)?.damaged === true : isDamaged(row.diagnostics);
		};
		return files.filter(isBad).length;
	}

	close(): void {
		this.#db?.close();
	}

	#storedOf(file: SessionFile): ListedFile | undefined {
		const stored = this.known.get(file.path);
		return stored && isUnchanged(stored, file) ? stored : undefined;
	}

	#scan({ path }: SessionFile, gatherer?: BranchGatherer): SessionRow {
		const { row } = scanFile(path, undefined, this.#buffer, gatherer && ((line) => gatherer.add(line)));
		this.#read.set(path, row);
		return row;
	}

	/** If the row of a session is unknown, too, one reading provides both. */
	#branchesOf(file: SessionFile, ids: readonly string[]): Branches {
		const known = this.#branches.get(file.path);
		if (known && ids.every((id) => known.labeled.has(id))) return known;
		const isListed = this.#read.has(file.path) || this.#storedOf(file) !== undefined;
		const gatherer = isListed ? undefined : new BranchGatherer(ids);
		if (gatherer) this.#scan(file, gatherer);
		const branches = gatherer?.finish() ?? runToEnd(readBranches(file.path, ids, this.#buffer));
		this.#branches.set(file.path, branches);
		return branches;
	}
}
