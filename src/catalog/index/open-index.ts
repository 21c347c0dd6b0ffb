import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { explain } from "../../store/files/store-error.ts";
import type { CatalogProblem } from "../model/event.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { removeOlder } from "./remove-older.ts";
import { INDEX_VERSION, SCHEMA } from "./schema.ts";
import { isBusy, isDamage, isSqliteError } from "./sqlite-error.ts";

/** The result of opening the index. */
export interface OpenedIndex {
	/** Undefined when neither the existing index nor a new one can be used. */
	readonly db: DatabaseSync | undefined;
	readonly problems: readonly CatalogProblem[];
}

/** Path of the database in the cache directory. */
export function indexPath(cacheDir: string): string {
	return join(cacheDir, `catalog-${INDEX_VERSION}.db`);
}

/**
 * Opens the index for reading and writing; creates it when there is none or when it is damaged (the damaged file is set
 * aside as `….damaged`). Indexes of older versions are removed. Never throws: the catalog works without an index too.
 */
export async function openIndex(cacheDir: string): Promise<OpenedIndex> {
	const path = indexPath(cacheDir);
	const sqlite = await loadSqlite();
	const open = () => retryBusy(() => prepare(new sqlite.DatabaseSync(path, { timeout: 2000 })));
	try {
		mkdirSync(cacheDir, { recursive: true });
		removeOlder(cacheDir);
		return { db: await open(), problems: [] };
	} catch (error) {
		if (!isDamage(error)) return { db: undefined, problems: [withoutIndex(path, error)] };
	}
	try {
		const problem = setAside(cacheDir);
		return { db: await open(), problems: [problem] };
	} catch (error) {
		return { db: undefined, problems: [withoutIndex(path, error)] };
	}
}

/** Moves a damaged index out of the way, so that the next `openIndex` creates a new one; throws when that fails. */
export function setAside(cacheDir: string): CatalogProblem {
	const path = indexPath(cacheDir);
	for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
	renameSync(path, `${path}.damaged`);
	return {
		path,
		message: `The index ${path} was damaged; it was set aside as ${path}.damaged and is being built anew.`,
	};
}

/** Opens the index read-only and as it is, for the first screen; undefined when it cannot be used like that. */
export async function openExistingIndex(cacheDir: string): Promise<DatabaseSync | undefined> {
	const sqlite = await loadSqlite();
	let db: DatabaseSync | undefined;
	try {
		db = new sqlite.DatabaseSync(indexPath(cacheDir), { readOnly: true, timeout: 200 });
		if (versionOf(db) === INDEX_VERSION) return db;
	} catch {
		// No index yet, or a damaged one, which the scan reports and repairs. Here it only means that nothing is known yet.
	}
	db?.close();
	return undefined;
}

const MAX_TRIES = 20;
const RETRY_MS = 25;

/** When two programs create a database at the same time, SQLite rejects one of them at once, whatever its timeout. */
async function retryBusy(open: () => DatabaseSync): Promise<DatabaseSync> {
	for (let tries = 1; ; tries++) {
		try {
			return open();
		} catch (error) {
			if (!isBusy(error) || tries >= MAX_TRIES) throw error;
			await delay(RETRY_MS);
		}
	}
}

function prepare(db: DatabaseSync): DatabaseSync {
	try {
		// Not synchronous: a power failure may leave a damaged index behind, which is then built again.
		db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
		if (versionOf(db) === INDEX_VERSION) {
			// Reads a row, so that obvious damage is found here and not in the middle of other work.
			db.exec("SELECT * FROM session LIMIT 1");
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

function withoutIndex(path: string, error: unknown): CatalogProblem {
	const why = isSqliteError(error) ? error.message : explain(error);
	return {
		path,
		message: `Cannot use the index ${path}: ${why}. All sessions are read anew at every start until it can be written.`,
	};
}
