import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Steps } from "../../shared/steps.ts";
import type { ByteSpan } from "../branches/branch-tracker.ts";
import { tellsOfOthers } from "../index/counted-runs.ts";
import { forgetNumbers, hashesFromBlob, hashesToBlob, releaseHashes } from "../index/hashes.ts";
import { parseStored } from "../index/row-json.ts";
import { ROW, rowOfRecord } from "../index/session-table.ts";
import { IndexDamage, transact } from "../index/sqlite.ts";
import type { CountedSessions, SessionCounts } from "../model/counts.ts";
import type { SessionRow } from "../model/row.ts";
import { originsOf } from "../model/run-place.ts";
import type { ScanStamp } from "../scan/scan-stamp.ts";
import type { SessionNumbers } from "./session-numbers.ts";
import type { StoredNumbers } from "./session-tally.ts";

/** A session whose numbers are missing or out of date. */
export interface PendingSession {
	readonly id: number;
	readonly path: string;
	/** The file as it is listed. */
	readonly size: number;
	readonly mtimeMs: number;
	/** Paths of the sessions whose entries it may have copied, see `originsOf`; of none that was not forked. */
	readonly origins: readonly string[];
}

/** A state of a file, and the CRC-32 of all its bytes. */
export interface FileChecksum extends ScanStamp {
	readonly crc: number;
}

/** Sessions read per step, with their hashes; and counts emitted together. */
const SESSIONS_PER_STEP = 100;
const COUNTS_PER_STEP = 1000;

/** The columns that `numbersOf` reads. */
const NUMBERS = "path, counts, numbers";

/** The numbers in an open index, for the sessions under one root. */
export class NumbersTable {
	readonly #db: DatabaseSync;
	readonly #root: string;
	/** By SQL: preparing a statement takes longer than running it. */
	readonly #statements = new Map<string, StatementSync>();
	#emitted = -1;

	constructor(db: DatabaseSync, root: string) {
		this.#db = db;
		this.#root = root;
	}

	/** Oldest first, and each after the session from which it was forked, so that the original counts what its forks have copied. */
	pending(): PendingSession[] {
		// What a session and a copy share that another program made of its file is the session's: the name of the copy is longer.
		const sql = `SELECT id, path, size, mtime, json_extract(row, '$.parentSession') AS parent FROM session
			WHERE root = ? AND (counted_size <> size OR counted_mtime <> mtime)
			ORDER BY created, length(path) - length(rtrim(path, replace(replace(path, '/', ''), '\\', ''))), mtime, path`;
		const all = this.#prepare(sql)
			.all(this.#root)
			.map(({ id, path, size, mtime, parent }): PendingSession => {
				const origins = typeof parent === "string" ? originsOf(String(path), parent) : [];
				return { id: Number(id), path: String(path), size: Number(size), mtimeMs: Number(mtime), origins };
			});
		return parentsFirst(all);
	}

	/** The hashes of all entries that count in the first of these sessions that was counted; undefined if there is none. */
	hashesIn(paths: readonly string[]): ReadonlySet<number> | undefined {
		const statement = this.#prepare(
			"SELECT own, others FROM session WHERE root = ? AND path = ? AND numbers IS NOT NULL",
		);
		const record = paths.map((path) => statement.get(this.#root, path)).find((one) => one !== undefined);
		if (record === undefined) return undefined;
		return new Set([...hashesFromBlob(record.own), ...hashesFromBlob(record.others)]);
	}

	/** The hashes that a session counts, also after its numbers were dropped; undefined if it counts none. */
	own(id: number): Float64Array | undefined {
		const record = this.#prepare("SELECT own FROM session WHERE id = ? AND own IS NOT NULL").get(id);
		return record && hashesFromBlob(record.own);
	}

	/** Emits what was counted since the last call, by whatever program, in steps. */
	*news(onCounts: (counts: CountedSessions) => void): Steps<void> {
		const sql = `SELECT counted_change, ${COUNTED} FROM session WHERE root = ? AND counted_change > ?
			ORDER BY counted_change LIMIT ${COUNTS_PER_STEP}`;
		for (;;) {
			const records = this.#prepare(sql).all(this.#root, this.#emitted);
			if (records.length === 0) return;
			onCounts(countsIn(records));
			for (const { counted_change } of records) this.#emitted = after(this.#emitted, counted_change);
			yield;
		}
	}

	/** Whether a session must still be counted: another browser may have done it. */
	isPending({ id, size, mtimeMs }: PendingSession): boolean {
		const sql = "SELECT 1 FROM session WHERE id = ? AND counted_size = ? AND counted_mtime = ?";
		return this.#prepare(sql).get(id, size, mtimeMs) === undefined;
	}

	/**
	 * Stores a session's numbers; `summed`: the checksum of all bytes, kept if the session is listed as of this state of the file.
	 * Returns whether the session is still in the index.
	 */
	store(session: PendingSession, { numbers, own, others }: StoredNumbers, summed?: FileChecksum): boolean {
		const { id, path, size, mtimeMs } = session;
		const { counts } = numbers;
		const sql = `UPDATE session SET counted_size = ?, counted_mtime = ?, counts = ?, elsewhere = ?,
			numbers = ?, own = ?, others = ?, counted_change =
			max(?, (SELECT coalesce(max(counted_change), 0) + 1 FROM session AS all_counted WHERE root = session.root)),
			crc = CASE WHEN size = ? AND mtime = ? AND ctime = ? AND ino = ? AND dev = ? THEN ? ELSE crc END WHERE id = ?`;
		const counted = [size, mtimeMs, JSON.stringify(counts), tellsOfOthers(path, counts) ? 1 : 0];
		const values = [numbersToJson(numbers), hashesToBlob(own), hashesToBlob(others)];
		const file = [summed?.size, summed?.mtimeMs, summed?.ctimeMs, summed?.ino, summed?.dev, summed?.crc];
		// Without a size, no stored file is meant.
		const stamp = file.map((value) => value ?? null);
		let isThere = false;
		transact(this.#db, () => {
			// The row with the last count may have left the index since; its number must not be given again.
			isThere = Number(this.#prepare(sql).run(...counted, ...values, Date.now(), ...stamp, id).changes) > 0;
		});
		return isThere;
	}

	/** Releases hashes that a session no longer counts; returns the ids of the sessions to count again. */
	release(hashes: Float64Array): number[] {
		let ids: number[] = [];
		transact(this.#db, () => {
			ids = releaseHashes(this.#db, this.#root, [hashes]);
		});
		return ids;
	}

	/**
	 * Forgets the numbers of sessions, so that they are counted again from the start; `disowned` ones also lose their hashes.
	 */
	forget(ids: readonly number[], disowned: readonly number[]): void {
		transact(this.#db, () => {
			forgetNumbers(this.#db, ids);
			forgetNumbers(this.#db, disowned, true);
		});
	}

	/**
	 * The hashes that each session counts (own), or contains but does not count (others), in batches, because the table may be written
	 * between two steps; undefined between batches. By id and `NOT INDEXED`: with the index of the root, SQLite would read and sort all
	 * sessions for each batch.
	 */
	*hashes(which: "own" | "others"): Generator<{ readonly id: number; readonly hashes: Float64Array } | undefined> {
		const sql = `SELECT id, ${which} AS hashes FROM session NOT INDEXED
			WHERE root = ? AND id > ? AND ${which} IS NOT NULL ORDER BY id LIMIT ${SESSIONS_PER_STEP}`;
		for (let last = -1; ; ) {
			const records = this.#prepare(sql).all(this.#root, last);
			if (records.length === 0) return;
			for (const { id } of records) last = after(last, id);
			for (const { id, hashes } of records) yield { id: Number(id), hashes: hashesFromBlob(hashes) };
			yield undefined;
		}
	}

	/** Changes when a session is added or removed, or another process writes to the index. */
	signature(): string {
		const sql = "SELECT count(*) AS count, total(id) AS ids FROM session WHERE root = ?";
		const { count, ids } = this.#prepare(sql).get(this.#root) ?? {};
		const version = this.#prepare("PRAGMA data_version").get()?.data_version;
		return `${version}:${count}:${ids}`;
	}

	#prepare(sql: string): StatementSync {
		const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
		this.#statements.set(sql, statement);
		return statement;
	}
}

/** The same, each after the one from which it was forked. */
function parentsFirst(pending: readonly PendingSession[]): PendingSession[] {
	const openSessions = new Map(pending.map((session) => [session.path, session]));
	return pending.flatMap((session) => {
		const chain: PendingSession[] = [];
		const takeOut = (path: string): PendingSession | undefined => {
			const one = openSessions.get(path);
			openSessions.delete(path);
			return one;
		};
		for (
			let one = takeOut(session.path);
			one !== undefined;
			one = takeOut(one.origins.find((path) => openSessions.has(path)) ?? "")
		)
			chain.push(one);
		return chain.reverse();
	});
}

/**
 * Prepares a lookup in an index, for the sessions under one root: the counts of a file, or undefined if it was not counted as
 * it is now. The lookup throws an `IndexDamage`.
 */
export function storedCounts(
	db: DatabaseSync,
	root: string,
): (file: Pick<PendingSession, "path" | "size" | "mtimeMs">) => SessionCounts | undefined {
	const sql = `SELECT ${COUNTED} FROM session WHERE root = ? AND path = ? AND counted_size = ? AND counted_mtime = ?`;
	const statement = db.prepare(sql);
	return ({ path, size, mtimeMs }) => {
		const record = statement.get(root, path, size, mtimeMs);
		return record && isCounted(record) ? countsOf(record) : undefined;
	};
}

/** The numbers of all counted sessions under a root, by path, without the spans of abandoned entries. Throws an `IndexDamage`. */
export function countedNumbers(db: DatabaseSync, root: string): Map<string, SessionNumbers> {
	const counted = new Map<string, SessionNumbers>();
	const sql = `SELECT ${NUMBERS} FROM session WHERE root = ? AND counted_size >= 0 AND numbers IS NOT NULL`;
	for (const record of db.prepare(sql).iterate(root)) {
		const numbers = numbersOf(record);
		counted.set(String(record.path), { ...numbers, abandoned: { ...numbers.abandoned, spans: [] } });
	}
	return counted;
}

/** The columns that `countsIn` reads. */
const COUNTED = "path, counted_size, counts";

/**
 * The rows of some sessions under a root, newest first, and their counts if they have any. Read together, since finding the
 * records takes most of the time. Throws an `IndexDamage`.
 */
export function readSessions(
	db: DatabaseSync,
	root: string,
	{ limit, offset }: { readonly limit: number; readonly offset: number },
): { readonly rows: readonly SessionRow[]; readonly counts: CountedSessions } {
	const sql = `SELECT ${ROW}, ${COUNTED} FROM session WHERE root = ? ORDER BY modified DESC LIMIT ? OFFSET ?`;
	const records = db.prepare(sql).all(root, limit, offset);
	return { rows: records.map(rowOfRecord), counts: countsIn(records) };
}

function countsIn(records: readonly NumbersRecord[]): CountedSessions {
	return records.filter(isCounted).map((record) => [String(record.path), countsOf(record)] as const);
}

/** Partial counts are not shown. */
function isCounted({ counts, counted_size }: NumbersRecord): boolean {
	return counts !== null && Number(counted_size) >= 0;
}

function countsOf({ counts }: NumbersRecord): SessionCounts {
	return parseStored<SessionCounts>(counts);
}

type NumbersRecord = Readonly<Record<string, unknown>>;

/** A session's numbers as the index stores them, without the counts, which have a column of their own. */
export function numbersToJson({ spending, abandoned, labeled, worked }: SessionNumbers): string {
	return JSON.stringify({ spending, abandoned, labeled: [...labeled], worked: [...worked] });
}

interface StoredJson extends Pick<SessionNumbers, "spending" | "abandoned"> {
	readonly labeled: readonly string[];
	readonly worked: readonly (readonly [day: string, ms: number])[];
}

/** The numbers in a record that has some. Throws an `IndexDamage`. */
function numbersOf(record: NumbersRecord): SessionNumbers {
	const { spending, abandoned, labeled, worked } = parseStored<StoredJson>(record.numbers);
	if (![spending, abandoned?.spans, labeled, worked].every(Array.isArray))
		throw new IndexDamage("the numbers of a session cannot be read");
	return { spending, abandoned, counts: countsOf(record), labeled: new Set(labeled), worked: new Map(worked) };
}

/** Numbers of records must ascend; in a damaged index they may not, and paging by the last one would then never end. */
function after(last: number, number: unknown): number {
	if (typeof number !== "number" || !(number > last)) throw new IndexDamage("the index is out of order");
	return number;
}

/**
 * Prepares a lookup in an index, for the sessions under one root: the byte spans of a file whose entries are not on the path
 * from the root to the leaf, in ascending order; a last line without `\n` is in none of them. The lookup returns undefined if
 * the file was not counted at this `size`, and throws an `IndexDamage`.
 */
export function abandonedSpans(
	db: DatabaseSync,
	root: string,
): (path: string, size: number) => readonly ByteSpan[] | undefined {
	const sql = `SELECT ${NUMBERS} FROM session
		WHERE root = ? AND path = ? AND counted_size = ? AND numbers IS NOT NULL`;
	const statement = db.prepare(sql);
	return (path, size) => {
		const record = statement.get(root, path, size);
		return record && numbersOf(record).abandoned.spans;
	};
}
