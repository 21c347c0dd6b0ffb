import type { DatabaseSync, StatementSync } from "node:sqlite";
import { TIERS } from "../query/kinds.ts";
import type { SessionRow } from "../row.ts";
import type { RowState } from "../scan/row-state.ts";
import type { FileStamp } from "../scan/scan-file.ts";

/** What the index knows of a file without its content. */
export interface KnownFile extends FileStamp {
	readonly id: number;
	readonly path: string;
	readonly change: number;
	/** Size and time of the file when its text was stored; -1 when none is. */
	readonly textSize: number;
	readonly textMtime: number;
}

export interface StoredScan {
	readonly path: string;
	readonly stamp: FileStamp;
	readonly row: SessionRow;
	readonly state: RowState;
	readonly mark: string;
}

/** The session table of an open index, for one place. */
export class SessionTable {
	readonly #db: DatabaseSync;
	readonly #place: string;
	readonly #upsert: StatementSync;

	constructor(db: DatabaseSync, place: string) {
		this.#db = db;
		this.#place = place;
		this.#upsert = db.prepare(
			`INSERT INTO session (place, path, dev, ino, size, mtime, modified, change, row, state, mark)
			VALUES (:place, :path, :dev, :ino, :size, :mtime, :modified, :change, :row, :state, :mark)
			ON CONFLICT (place, path) DO UPDATE SET dev = :dev, ino = :ino, size = :size, mtime = :mtime,
			modified = :modified, change = :change, row = :row, state = :state, mark = :mark RETURNING id`,
		);
	}

	/** All files by path. */
	known(): Map<string, KnownFile> {
		const sql = `SELECT id, path, dev, ino, size, mtime AS mtimeMs, change, text_size AS textSize, text_mtime AS textMtime
			FROM session WHERE place = ?`;
		const known = new Map<string, KnownFile>();
		for (const record of this.#db.prepare(sql).iterate(this.#place)) {
			// The columns of the query above; SQLite's types are not known to TypeScript.
			const file = record as unknown as KnownFile;
			known.set(file.path, file);
		}
		return known;
	}

	/** Where reading can go on, and the mark that must still be true. */
	stateOf(id: number): { readonly state: RowState; readonly mark: string } | undefined {
		const record = this.#db.prepare("SELECT state, mark FROM session WHERE id = ?").get(id);
		if (!record) return undefined;
		// Written by `store` below.
		return { state: JSON.parse(String(record.state)) as RowState, mark: String(record.mark) };
	}

	rowOf(id: number): SessionRow | undefined {
		const row = this.#db.prepare("SELECT row FROM session WHERE id = ?").get(id)?.row;
		return row === undefined ? undefined : parseRow(String(row));
	}

	/** Stores scans in one transaction; returns their keys. */
	store(scans: readonly StoredScan[]): { readonly path: string; readonly id: number }[] {
		const ids: { path: string; id: number }[] = [];
		transact(this.#db, () => {
			const change = lastChange(this.#db) + 1;
			for (const { path, stamp, row, state, mark } of scans) {
				const { dev, ino, size, mtimeMs } = stamp;
				const modified = row.modified.getTime();
				const texts = { row: JSON.stringify(row), state: JSON.stringify(state), mark };
				const values = { place: this.#place, path, dev, ino, size, mtime: mtimeMs, modified, change, ...texts };
				ids.push({ path, id: Number(this.#upsert.get(values)?.id) });
			}
		});
		return ids;
	}

	/** Forgets sessions and their text. */
	remove(ids: readonly number[]): void {
		transact(this.#db, () => {
			for (const id of ids) {
				this.#db.prepare("DELETE FROM session WHERE id = ?").run(id);
				this.#db.prepare("DELETE FROM entries WHERE session = ?").run(id);
				deleteBlocks(this.#db, id);
			}
		});
	}
}

/** Rows of a place, newest first; with `since`, only those that were written after that change. */
export function readRows(
	db: DatabaseSync,
	place: string,
	range: { limit?: number; offset?: number; since?: number } = {},
): SessionRow[] {
	const sql =
		range.since === undefined
			? "SELECT row FROM session WHERE place = ? ORDER BY modified DESC LIMIT ? OFFSET ?"
			: "SELECT row FROM session WHERE place = ? AND change > ? ORDER BY modified DESC";
	const values = range.since === undefined ? [range.limit ?? -1, range.offset ?? 0] : [range.since];
	const rows: SessionRow[] = [];
	for (const record of db.prepare(sql).iterate(place, ...values)) rows.push(parseRow(String(record.row)));
	return rows;
}

/** How many sessions of a place are in the index. */
export function countRows(db: DatabaseSync, place: string): number {
	return Number(db.prepare("SELECT count(*) AS count FROM session WHERE place = ?").get(place)?.count ?? 0);
}

/** So many sessions are looked through for those of running programs. */
const NEWEST = 300;

/** The sessions that were written last, newest first. */
export function newestFiles(db: DatabaseSync, place: string): { path: string; cwd: string; mtimeMs: number }[] {
	const sql = `SELECT path, mtime, json_extract(row, '$.cwd') AS cwd FROM session
		WHERE place = ? ORDER BY mtime DESC LIMIT ${NEWEST}`;
	return db
		.prepare(sql)
		.all(place)
		.map(({ path, cwd, mtime }) => ({ path: String(path), cwd: String(cwd), mtimeMs: Number(mtime) }));
}

/** The number of the last write to the index. */
export function lastChange(db: DatabaseSync): number {
	return Number(db.prepare("SELECT max(change) AS last FROM session").get()?.last ?? 0);
}

function parseRow(json: string): SessionRow {
	// Written by `store` above; only the dates have become text.
	const row = JSON.parse(json) as Omit<SessionRow, "created" | "modified"> & { created: string; modified: string };
	return { ...row, name: row.name, created: new Date(row.created), modified: new Date(row.modified) };
}

/** Deletes the searchable text of a session; within a transaction. */
export function deleteBlocks(db: DatabaseSync, session: number): void {
	for (const tier of TIERS) {
		db.prepare(`DELETE FROM block${tier} WHERE session = ?`).run(session);
		db.prepare("DELETE FROM block_filter WHERE tier = ? AND session = ?").run(tier, session);
	}
}

/** Runs the action in a transaction of its own, undone when it throws. */
export function transact(db: DatabaseSync, action: () => void): void {
	db.exec("BEGIN IMMEDIATE");
	try {
		action();
	} catch (error) {
		db.exec("ROLLBACK");
		throw error;
	}
	db.exec("COMMIT");
}
