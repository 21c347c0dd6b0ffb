import type { DatabaseSync } from "node:sqlite";
import { forgetNumbers, hashesFromBlob, hashesToBlob, releaseHashes } from "../index/hashes.ts";
import { transact } from "../index/transact.ts";
import { numbersFromJson, numbersToJson } from "./numbers-json.ts";
import type { StoredNumbers } from "./session-tally.ts";

/** A session whose numbers are missing or out of date. */
export interface PendingSession {
	readonly id: number;
	readonly path: string;
	/** The file as it is listed. */
	readonly size: number;
	readonly mtimeMs: number;
}

/** Sessions whose hashes are read in one step. */
const SESSIONS_PER_STEP = 100;

/** The numbers in an open index, for the sessions under one root. */
export class NumbersTable {
	readonly #db: DatabaseSync;
	readonly #root: string;

	constructor(db: DatabaseSync, root: string) {
		this.#db = db;
		this.#root = root;
	}

	/** Oldest first, so that the original counts what its forks have copied. */
	pending(): PendingSession[] {
		const sql = `SELECT id, path, size, mtime FROM session
			WHERE root = ? AND (counted_size <> size OR counted_mtime <> mtime) ORDER BY created, mtime, path`;
		return this.#db
			.prepare(sql)
			.all(this.#root)
			.map(({ id, path, size, mtime }) => {
				return { id: Number(id), path: String(path), size: Number(size), mtimeMs: Number(mtime) };
			});
	}

	/** The stored numbers of a session. */
	stored(id: number): StoredNumbers | undefined {
		const record = this.#db.prepare("SELECT numbers, own, others FROM session WHERE id = ?").get(id);
		const read = typeof record?.numbers === "string" ? numbersFromJson(record.numbers) : undefined;
		return read && { ...read, own: hashesFromBlob(record?.own), others: hashesFromBlob(record?.others) };
	}

	/** Whether a session still has to be counted: another browser may have counted it meanwhile. */
	isPending({ id, size, mtimeMs }: PendingSession): boolean {
		const sql = "SELECT 1 FROM session WHERE id = ? AND counted_size = ? AND counted_mtime = ?";
		return this.#db.prepare(sql).get(id, size, mtimeMs) === undefined;
	}

	/**
	 * Stores a session's numbers; `complete` means that they cover the whole file. Returns whether the session is still
	 * in the index.
	 */
	store(
		{ id, size, mtimeMs }: PendingSession,
		{ state, numbers, own, others }: StoredNumbers,
		complete: boolean,
	): boolean {
		const sql = `UPDATE session SET counted_size = ?, counted_mtime = ?, numbers = ?, own = ?, others = ? WHERE id = ?`;
		const counted = complete ? [size, mtimeMs] : [-1, -1];
		const texts = [numbersToJson(state, numbers), hashesToBlob(own), hashesToBlob(others)];
		return Number(this.#db.prepare(sql).run(...counted, ...texts, id).changes) > 0;
	}

	/** Releases hashes that a session no longer counts; returns the ids of the sessions to be counted again. */
	release(hashes: Float64Array): number[] {
		let ids: number[] = [];
		transact(this.#db, () => {
			ids = releaseHashes(this.#db, this.#root, [hashes]);
		});
		return ids;
	}

	/** Forgets the numbers of sessions, so that they are counted again from the start. */
	forget(ids: readonly number[]): void {
		transact(this.#db, () => forgetNumbers(this.#db, ids));
	}

	/** The hashes that each session counts (own), or contains but does not count (others); undefined between steps. */
	*hashes(which: "own" | "others"): Generator<{ readonly id: number; readonly hashes: Float64Array } | undefined> {
		// In batches, because the table may be written between two steps.
		const sql = `SELECT id, ${which} AS hashes FROM session
			WHERE root = ? AND id > ? AND ${which} IS NOT NULL ORDER BY id LIMIT ${SESSIONS_PER_STEP}`;
		const statement = this.#db.prepare(sql);
		for (let last = -1; ; ) {
			const records = statement.all(this.#root, last);
			if (records.length === 0) return;
			for (const { id, hashes } of records) {
				last = Number(id);
				yield { id: last, hashes: hashesFromBlob(hashes) };
			}
			yield undefined;
		}
	}

	/** Stays the same as long as no session is added or removed, and no other process writes to the index. */
	signature(): string {
		const sql = "SELECT count(*) AS count, total(id) AS ids FROM session WHERE root = ?";
		const { count, ids } = this.#db.prepare(sql).get(this.#root) ?? {};
		return `${this.#db.prepare("PRAGMA data_version").get()?.data_version}:${count}:${ids}`;
	}
}
