import {
	chmodSync,
	closeSync,
	constants,
	fchmodSync,
	fstatSync,
	lstatSync,
	mkdirSync,
	openSync,
	readdirSync,
	type Stats,
} from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { basename, join } from "../../shared/paths.ts";
import { READ_FLAGS } from "../../store/files/file-system.ts";
import { explain } from "../../store/files/store-error.ts";
import { removePathSync, renamePathSync } from "../../store/files/while-busy.ts";
import type { CatalogProblem } from "../model/event.ts";
import { CACHE_NAME, INDEX_NAME } from "../model/session-roots.ts";
import { INDEX_VERSION, SCHEMA } from "./schema.ts";
import { IndexDamage, isBusy, isDamage, isSqliteError, sqliteReason } from "./sqlite.ts";

export interface OpenedIndex {
	readonly db: DatabaseSync;
	/** The file; undefined if the index is in memory, because no file can be used. */
	readonly file: IndexFile | undefined;
	readonly problems: readonly CatalogProblem[];
}

/** Identifies the file of an index, to detect that another program has replaced it. */
export interface IndexFile {
	readonly dev: number;
	readonly ino: number;
}

export function indexPath(cacheDir: string): string {
	return join(cacheDir, `catalog-${INDEX_VERSION}.db`);
}

/** SQLite's own files beside a database. */
const SUFFIXES = ["-wal", "-shm"];

/**
 * Opens the index for reading and writing; creates it if there is none or it is damaged (the damaged file is set
 * aside as `….damaged`). If no file can be used it is in memory, and a problem reports that. Indexes of older versions are
 * removed. Only the user can read it, whatever its mode was. Rejects only if Node has no SQLite.
 */
export async function openIndex(cacheDir: string): Promise<OpenedIndex> {
	const path = indexPath(cacheDir);
	const sqlite = await loadSqlite();
	const open = async (problems: readonly CatalogProblem[]): Promise<OpenedIndex> => {
		const file = createPrivate(path);
		const db = await retryBusy(() => prepare(new sqlite.DatabaseSync(path, { timeout: RETRY_MS })));
		db.exec(`PRAGMA busy_timeout = ${WAIT_MS}`);
		return { db, file, problems };
	};
	try {
		makePrivateDirectory(cacheDir);
		removeOlder(cacheDir);
		try {
			return await open([]);
		} catch (error) {
			if (!isDamage(error)) throw error;
			return await open([setAside(cacheDir)]);
		}
	} catch (error) {
		return openInMemory([withoutFile(path, error)]);
	}
}

/** Opens an empty index that lasts as long as this program. */
export async function openInMemory(problems: readonly CatalogProblem[]): Promise<OpenedIndex> {
	const sqlite = await loadSqlite();
	return { db: prepare(new sqlite.DatabaseSync(":memory:")), file: undefined, problems };
}

/**
 * Moves a damaged index out of the way, so that the next `openIndex` creates a new one; throws if that fails. An index that
 * is no longer `file` stays: another program has put it there.
 */
export function setAside(cacheDir: string, file?: IndexFile): CatalogProblem {
	const path = indexPath(cacheDir);
	const now = file && lstatSync(path, { throwIfNoEntry: false });
	if (!file || (now?.ino === file.ino && now.dev === file.dev)) {
		for (const suffix of SUFFIXES) removePathSync(path + suffix, { recursive: true, force: true });
		removePathSync(`${path}.damaged`, { recursive: true, force: true });
		renamePathSync(path, `${path}.damaged`);
		if (lstatSync(`${path}.damaged`).isFile()) chmodSync(`${path}.damaged`, 0o600);
	}
	return {
		path,
		message: `The index ${path} was damaged; it was set aside as ${path}.damaged and is being rebuilt.`,
	};
}

/**
 * The index as it is, read-only. What it does not say is undefined, because there is none, it is damaged, which the next listing
 * repairs, or another program holds it: everything works without it, too.
 */
export class IndexReader {
	readonly #db: DatabaseSync | undefined;

	private constructor(db: DatabaseSync | undefined) {
		this.#db = db;
	}

	static async open(cacheDir: string, options = { readOnly: true, timeout: 200 }): Promise<IndexReader> {
		const sqlite = await loadSqlite();
		const path = indexPath(cacheDir);
		let db: DatabaseSync | undefined;
		try {
			checkRegular(path);
			db = new sqlite.DatabaseSync(path, options);
			if (versionOf(db) === INDEX_VERSION) return new IndexReader(db);
		} catch {
			// No index yet, or a damaged one, which the scan reports and repairs. Until then nothing is known.
		}
		db?.close();
		return new IndexReader(undefined);
	}

	read<Result>(read: (db: DatabaseSync) => Result): Result | undefined {
		try {
			return this.#db && read(this.#db);
		} catch (error) {
			if (isDamage(error) || isSqliteError(error)) return undefined;
			throw error;
		}
	}

	close(): void {
		this.#db?.close();
	}
}

/** Undefined if the index does not say it. */
export async function readIndex<Result>(
	cacheDir: string,
	read: (db: DatabaseSync) => Result,
): Promise<Result | undefined> {
	const index = await IndexReader.open(cacheDir);
	try {
		return index.read(read);
	} finally {
		index.close();
	}
}

/** Changes the index as it is; does nothing if there is none, it is damaged, or another program is writing to it. */
export async function updateIndex(cacheDir: string, update: (db: DatabaseSync) => void): Promise<void> {
	const index = await IndexReader.open(cacheDir, { readOnly: false, timeout: 0 });
	try {
		index.read(update);
	} finally {
		index.close();
	}
}

/** Makes the directory for this user alone. Of existing directories, only our own is closed to others. */
function makePrivateDirectory(directory: string): void {
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	if (basename(directory) === CACHE_NAME) chmodSync(directory, 0o700);
}

/** Makes the file if it is missing, with the mode that SQLite then gives to the files beside it. */
function createPrivate(path: string): IndexFile {
	checkRegular(path);
	const fd = openSync(path, READ_FLAGS | constants.O_CREAT, 0o600);
	try {
		const stats = fstatSync(fd);
		checkFile(path, stats);
		fchmodSync(fd, 0o600);
		for (const suffix of SUFFIXES) if (statOf(path + suffix)) chmodSync(path + suffix, 0o600);
		return { dev: stats.dev, ino: stats.ino };
	} finally {
		closeSync(fd);
	}
}

/** SQLite would block on a named pipe, so anything but a file counts as damage. */
function checkRegular(path: string): void {
	for (const one of [path, ...SUFFIXES.map((suffix) => path + suffix)]) {
		const stats = statOf(one);
		if (stats) checkFile(one, stats);
	}
}

function checkFile(path: string, stats: Stats): void {
	if (!stats.isFile()) throw new IndexDamage(`${path} is not a regular file`);
}

function statOf(path: string): Stats | undefined {
	return lstatSync(path, { throwIfNoEntry: false });
}

/** Another program that holds the index is waited for this long; without the index all works, too. */
export const WAIT_MS = 2000;
const RETRY_MS = 25;

/**
 * If two programs create a database at the same time, SQLite rejects one of them immediately, whatever its timeout: so it is tried
 * again and again.
 */
async function retryBusy(open: () => DatabaseSync): Promise<DatabaseSync> {
	for (const endMs = performance.now() + WAIT_MS; ; ) {
		try {
			return open();
		} catch (error) {
			if (!isBusy(error) || performance.now() >= endMs) throw error;
			await delay(RETRY_MS);
		}
	}
}

function prepare(db: DatabaseSync): DatabaseSync {
	try {
		// NORMAL: with a write-ahead log a power failure costs the last changes at most.
		// Deleted content must not remain in unused parts of the file.
		db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
		if (versionOf(db) === INDEX_VERSION) {
			// Reads a row, so that obvious damage is found here and not in the middle of other work. A list that lacks its index
			// would read all files each time.
			db.exec("SELECT * FROM session INDEXED BY session_listed LIMIT 1");
			return db;
		}
		db.exec("BEGIN IMMEDIATE");
		// Another browser may have built it while this one waited for the lock.
		if (versionOf(db) !== INDEX_VERSION) db.exec(SCHEMA);
		db.exec("COMMIT");
		return db;
	} catch (error) {
		db.close();
		throw error;
	}
}

function versionOf(db: DatabaseSync): unknown {
	return db.prepare("PRAGMA user_version").get()?.user_version;
}

function withoutFile(path: string, error: unknown): CatalogProblem {
	const why = isSqliteError(error) ? sqliteReason(error) : explain(error);
	return {
		path,
		message: `Cannot use the index ${path}: ${why}. All sessions are read again at every start until it can be written.`,
	};
}

type Sqlite = typeof import("node:sqlite");

/**
 * Loads Node's SQLite on demand. Node 22 warns on stderr that it is experimental, which would spoil the screen:
 * that one warning is suppressed, only while loading.
 */
async function loadSqlite(): Promise<Sqlite> {
	const emitWarning = process.emitWarning;
	const filtered = (warning: string | Error, ...rest: unknown[]) => {
		const text = typeof warning === "string" ? warning : warning.message;
		if (rest[0] === "ExperimentalWarning" && text.includes("SQLite")) return;
		Reflect.apply(emitWarning, process, [warning, ...rest]);
	};
	process.emitWarning = filtered;
	try {
		return await import("node:sqlite");
	} finally {
		process.emitWarning = emitWarning;
	}
}

/** Removes indexes of older versions, which may take hundreds of megabytes. On failure, the next start tries again. */
function removeOlder(cacheDir: string): void {
	try {
		const databases = new Set(readdirSync(cacheDir).map((name) => name.replace(/(?:-wal|-shm|\.damaged)$/, "")));
		for (const name of databases) {
			const version = INDEX_NAME.exec(name);
			if (version && Number(version[1] ?? 0) < INDEX_VERSION) removeDatabase(join(cacheDir, name));
		}
	} catch {
		// The next start tries again.
	}
}

function removeDatabase(path: string): void {
	// The database first: if it cannot be removed, it still needs the files beside it.
	removePathSync(path, { force: true });
	for (const suffix of [...SUFFIXES, ".damaged"]) removePathSync(path + suffix, { force: true });
}
