import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isDamaged } from "../../store/format/diagnostic.ts";
import type { SessionRow } from "../model/row.ts";
import { cacheDirOf, type ListOptions, rootOf, type SessionRoots } from "../model/session-roots.ts";
import type { Fingerprint } from "../scan/fingerprint.ts";
import type { Scan } from "../scan/scan-file.ts";
import { type ScanStamp, UNVERIFIED } from "../scan/scan-stamp.ts";
import type { ScanState } from "../scan/scan-state.ts";
import { hashesFromBlob, releaseHashes } from "./hashes.ts";
import { readIndex } from "./open-index.ts";
import { rowFromJson, rowToJson, stateFromJson, stateToJson } from "./row-json.ts";
import { IndexDamage, transact } from "./sqlite.ts";

export interface KnownFile extends ScanStamp {
	readonly path: string;
	/** Key in the index; undefined until it is stored. */
	readonly id?: number | undefined;
}

/** A file of the index, with what orders and counts it in a list, and what a search asks of it first. */
export interface StoredFile extends KnownFile {
	readonly id: number;
	/** The time of the list's order, in Unix ms. */
	readonly modifiedMs: number;
	/** Whether something of the session is lost. */
	readonly damaged: boolean;
	/** Whether it has lines with characters that do not show (`HIDDEN_LINE`); undefined if no search has looked. */
	readonly hidden: boolean | undefined;
}

export interface StoredScan extends Scan {
	readonly path: string;
	readonly state: ScanState;
}

/** The columns of a `StoredFile`, all of them in the index `session_listed`. */
const FILE = "id, path, dev, ino, size, mtime, ctime, modified, damaged, hidden";
type FileRecord = readonly [
	id: number,
	path: string,
	dev: number,
	ino: number,
	size: number,
	mtimeMs: number,
	ctimeMs: number,
	modifiedMs: number,
	damaged: number,
	hidden: number | null,
];

/** More rows than this are read in one query. */
const MOST_BY_ID = 200;

export class IndexTable {
	readonly #db: DatabaseSync;
	readonly #root: string;
	#rowById: StatementSync | undefined;

	constructor(db: DatabaseSync, root: string) {
		this.#db = db;
		this.#root = root;
	}

	/** All files, by path, from the index `session_listed` alone. */
	files(): Map<string, StoredFile> {
		const statement = this.#db.prepare(`SELECT ${FILE} FROM session INDEXED BY session_listed WHERE root = ?`);
		// Objects with nine names each take twice as long.
		statement.setReturnArrays(true);
		const files = new Map<string, StoredFile>();
		for (const record of statement.all(this.#root)) {
			// TypeScript does not know the types of the columns of the query above.
			const [id, path, dev, ino, size, mtimeMs, ctimeMs, modifiedMs, damaged, hidden] = record as unknown as FileRecord;
			const answers = { damaged: damaged === 1, hidden: hidden === null ? undefined : hidden === 1 };
			files.set(path, { id, path, dev, ino, size, mtimeMs, ctimeMs, modifiedMs, ...answers });
		}
		return files;
	}

	/** The rows of some of the files, in this order. Throws an `IndexDamage`, also if there is no row. */
	rowsOf(files: readonly Pick<StoredFile, "id" | "path">[]): SessionRow[] {
		// One by one they take several times as long as in the order of the disk.
		const all = files.length > MOST_BY_ID ? this.#rows(new Set(files.map(({ id }) => id))) : undefined;
		return files.map(({ id, path }) => {
			const row = all ? all.get(id) : this.rowOf(id);
			if (row?.path !== path) throw new IndexDamage("a row of the index is missing");
			return row;
		});
	}

	#rows(ids: ReadonlySet<number>): Map<number, SessionRow> {
		const statement = this.#db.prepare(`SELECT id, ${ROW} FROM session WHERE root = ?`);
		statement.setReturnArrays(true);
		const rows = new Map<number, SessionRow>();
		// One by one, so that only one text of a row is there at a time.
		for (const record of statement.iterate(this.#root)) {
			// The columns of the query above.
			const [id, path, row] = record as unknown as [id: number, path: string, row: string];
			if (ids.has(id)) rows.set(id, rowFromJson(path, row));
		}
		return rows;
	}

	/** The paths of the sessions whose names or titles have a text, in capitals or not; for ordering them: letters beyond ASCII must be equal. */
	pathsWith(text: string): Set<string> {
		const sql = `SELECT path FROM session WHERE root = ?1 AND instr(lower(concat_ws(' ', json_extract(row, '$.name'),
			coalesce(json_extract(row, '$.prompt'), json_extract(row, '$.firstMessage')))), ?2) > 0`;
		return new Set(
			this.#db
				.prepare(sql)
				.all(this.#root, text)
				.map(({ path }) => String(path)),
		);
	}

	/** Where reading can continue, and the fingerprint that must still match. */
	stateOf(id: number): (Fingerprint & { readonly state: ScanState }) | undefined {
		const sql = "SELECT path, row, state, fingerprint, crc FROM session WHERE id = ?";
		const record = this.#db.prepare(sql).get(id);
		if (!record) return undefined;
		const row = rowOfRecord(record);
		const crc = record.crc === null ? undefined : Number(record.crc);
		return { state: stateFromJson(String(record.state), row), fingerprint: String(record.fingerprint), crc };
	}

	rowOf(id: number): SessionRow | undefined {
		this.#rowById ??= this.#db.prepare(`SELECT ${ROW} FROM session WHERE id = ?`);
		const record = this.#rowById.get(id);
		return record && rowOfRecord(record);
	}

	/** Stores scans in one transaction; returns their keys. */
	store(scans: readonly StoredScan[]): { readonly path: string; readonly id: number }[] {
		let ids: { path: string; id: number }[] = [];
		const upsert = this.#db.prepare(UPSERT);
		transact(this.#db, () => {
			const change = lastChange(this.#db) + 1;
			for (const scan of scans) upsert.run(...this.#valuesOf(scan, change));
			// `RETURNING` in the statement takes as long as all the rest of it.
			const keys = this.#db.prepare("SELECT id, path FROM session WHERE change = ? AND root = ?");
			ids = keys.all(change, this.#root).map(({ id, path }) => ({ id: Number(id), path: String(path) }));
		});
		return ids;
	}

	/** In the order of `COLUMNS`, and whether the file was read whole. */
	#valuesOf({ path, stamp, row, state, fingerprint, crc, isWhole }: StoredScan, change: number) {
		const { dev, ino, size, mtimeMs, ctimeMs } = stamp;
		const [created, modified] = [timeOf(row.created, mtimeMs), timeOf(row.modified, mtimeMs)];
		const damaged = isDamaged(row.diagnostics) ? 1 : 0;
		return [
			...[this.#root, path, dev, ino, size, mtimeMs, ctimeMs, created, modified, change, damaged],
			...[rowToJson(row), stateToJson(state, row), fingerprint, crc ?? null, isWhole ? 1 : 0],
		];
	}

	/** Notes which of the files have lines with characters that do not show, unless they were read again since. */
	noteHidden(files: readonly StoredFile[], hidden: ReadonlySet<string>): void {
		const statement = this.#db.prepare(
			"UPDATE session SET hidden = ? WHERE id = ? AND size = ? AND mtime = ? AND ctime = ?",
		);
		transact(this.#db, () => {
			for (const { id, path, size, mtimeMs, ctimeMs } of files)
				statement.run(hidden.has(path) ? 1 : 0, id, size, mtimeMs, ctimeMs);
		});
	}

	/** Removes sessions; what counted for them then counts for others that contain it too. */
	remove(ids: readonly number[]): void {
		transact(this.#db, () => {
			const hashes: Float64Array[] = [];
			const statement = this.#db.prepare("DELETE FROM session WHERE id = ? RETURNING own");
			for (const id of ids) hashes.push(hashesFromBlob(statement.get(id)?.own));
			releaseHashes(this.#db, this.#root, hashes);
		});
	}
}

const STAMP = ["dev", "ino", "size", "mtime", "ctime"];

/** What `SessionTable.store` writes. */
const COLUMNS = [
	...["root", "path", ...STAMP, "created", "modified", "change", "damaged"],
	...["row", "state", "fingerprint", "crc"],
];

/** By numbers, because finding parameters by name takes half as long as the statement. */
const UPSERT = (() => {
	const [whole, values] = [`?${COLUMNS.length + 1}`, COLUMNS.map((_, index) => `?${index + 1}`)];
	// Two programs may have read the same file before either had stored it: what was counted in between stays, as does the checksum.
	// If the file was changed other than by appending, its count cannot be continued, only released.
	const isSame = `${STAMP.map((column) => `${column} = excluded.${column}`).join(" AND ")} AND ctime <> ${UNVERIFIED}`;
	const unlessRewritten = (column: string, otherwise: string): string =>
		`${column} = CASE WHEN ${whole} = 1 AND NOT (${isSame}) THEN ${otherwise} ELSE ${column} END`;
	const set = [
		...COLUMNS.filter((column) => column !== "crc").map((column) => `${column} = excluded.${column}`),
		`crc = CASE WHEN ${isSame} THEN coalesce(excluded.crc, crc) ELSE excluded.crc END`,
		`hidden = CASE WHEN ${isSame} THEN hidden END`,
		...[unlessRewritten("counted_size", "-1"), unlessRewritten("numbers", "NULL")],
	];
	return `INSERT INTO session (${COLUMNS.join(", ")}) VALUES (${values.join(", ")})
		ON CONFLICT (root, path) DO UPDATE SET ${set.join(", ")}`;
})();

/** Whether the index has a file: only it knows those that are in no directory that is searched. */
export async function isKnownFile(
	path: string,
	sessionRoots: SessionRoots,
	options: ListOptions = {},
): Promise<boolean> {
	const sql = "SELECT 1 FROM session WHERE root = ? AND path = ?";
	const record = await readIndex(cacheDirOf(options), (db) => db.prepare(sql).get(rootOf(sessionRoots), path));
	return record !== undefined;
}

export function storedIds(db: DatabaseSync, root: string): ReadonlyMap<string, string> {
	const sql = "SELECT path, json_extract(row, '$.id') AS id FROM session WHERE root = ?";
	const records = db.prepare(sql).all(root);
	return new Map(records.map(({ path, id }) => [String(path), String(id ?? "")]));
}

/** Rows under a root that were written after a change, newest first. */
export function rowsSince(db: DatabaseSync, root: string, change: number): SessionRow[] {
	const sql = `SELECT ${ROW} FROM session WHERE root = ? AND change > ? ORDER BY modified DESC`;
	return db.prepare(sql).all(root, change).map(rowOfRecord);
}

/** The columns that `rowOf` reads. */
export const ROW = "path, row";

/** The row in a record with these. Throws an `IndexDamage`. */
export function rowOfRecord({ path, row }: Readonly<Record<string, unknown>>): SessionRow {
	return rowFromJson(String(path), String(row));
}

export function countRows(db: DatabaseSync, root: string): number {
	return Number(db.prepare("SELECT count(*) AS count FROM session WHERE root = ?").get(root)?.count ?? 0);
}

/** The sessions of running programs are searched for among this many. */
const NEWEST = 300;

/** A session and its times, in Unix ms: of its header, its last message and its file. */
export interface RecentFile {
	readonly path: string;
	readonly cwd: string;
	readonly createdMs: number;
	readonly modifiedMs: number;
	readonly mtimeMs: number;
}

export function newestFiles(db: DatabaseSync, root: string): RecentFile[] {
	// Selected first: otherwise the rows of all sessions would be parsed.
	const sql = `SELECT path, mtime, created, modified, json_extract(row, '$.cwd') AS cwd FROM session WHERE id IN
		(SELECT id FROM session WHERE root = ? ORDER BY mtime DESC LIMIT ${NEWEST}) ORDER BY mtime DESC`;
	return db
		.prepare(sql)
		.all(root)
		.map(({ path, cwd, created, modified, mtime }) => ({
			path: String(path),
			cwd: String(cwd),
			createdMs: Number(created),
			modifiedMs: Number(modified),
			mtimeMs: Number(mtime),
		}));
}

export function storedCwds(db: DatabaseSync, root: string): string[] {
	const sql = "SELECT DISTINCT json_extract(row, '$.cwd') AS cwd FROM session WHERE root = ?";
	return db
		.prepare(sql)
		.all(root)
		.flatMap(({ cwd }) => (typeof cwd === "string" && cwd !== "" ? [cwd] : []));
}

/** The number of the last write to the index. */
export function lastChange(db: DatabaseSync): number {
	return Number(db.prepare("SELECT max(change) AS last FROM session").get()?.last ?? 0);
}

/** In milliseconds; the file's time if the session's is not a valid date. */
function timeOf(date: Date, mtimeMs: number): number {
	return Number.isNaN(date.getTime()) ? mtimeMs : date.getTime();
}
