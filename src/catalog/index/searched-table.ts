import type { DatabaseSync, StatementSync } from "node:sqlite";
import { isDamaged } from "../../store/format/diagnostic.ts";
import type { ByteSpan } from "../branches/branch-tracker.ts";
import type { SessionRow } from "../model/row.ts";
import type { ScanStamp } from "../scan/scan-stamp.ts";
import { accentsMark } from "./accents-mark.ts";
import { rowFromJson, rowToJson } from "./row-json.ts";
import { transact } from "./sqlite.ts";

/** What a search in the shell has found out about a file; undefined for what it did not need. */
export interface LearnedFile extends ScanStamp {
	readonly path: string;
	/** Whether it may have letters with accents. */
	readonly accents?: boolean | undefined;
	readonly row?: SessionRow | undefined;
	/** The spans off the path to the leaf. */
	readonly abandoned?: readonly ByteSpan[] | undefined;
}

/** A file that was searched, as it was then. */
interface SearchedFile extends ScanStamp {
	readonly path: string;
	/** See accents-mark.ts. */
	readonly accents: unknown;
	/** 1 if part of the session is known to be lost. */
	readonly damaged: unknown;
}

/** Records per transaction: another program that wants to write waits a few milliseconds for it. */
const AT_ONCE = 500;

/** What searches have found out about files that no browser has counted, for the sessions under one root of an open index. */
export class SearchedTable {
	readonly #db: DatabaseSync;
	readonly #root: string;
	#rowByPath: StatementSync | undefined;
	#spansByPath: StatementSync | undefined;

	constructor(db: DatabaseSync, root: string) {
		this.#db = db;
		this.#root = root;
	}

	/** All files, by path. */
	known(): Map<string, SearchedFile> {
		const sql = `SELECT path, dev, ino, size, mtime AS mtimeMs, ctime AS ctimeMs, accents, damaged FROM searched
			WHERE root = ?`;
		const known = new Map<string, SearchedFile>();
		for (const record of this.#db.prepare(sql).iterate(this.#root)) {
			// TypeScript does not know the types of the columns of the query above.
			const file = record as unknown as SearchedFile;
			known.set(file.path, file);
		}
		return known;
	}

	/** The row of a file; undefined if it was not needed. Throws an `IndexDamage`. */
	rowOf(path: string): SessionRow | undefined {
		this.#rowByPath ??= this.#db.prepare("SELECT row FROM searched WHERE root = ? AND path = ?");
		const record = this.#rowByPath.get(this.#root, path);
		if (!record || record.row === null) return undefined;
		return rowFromJson(path, String(record.row));
	}

	/** The spans off the path to the leaf; undefined if they were not needed. Throws an `IndexDamage`. */
	abandonedOf(path: string): readonly ByteSpan[] | undefined {
		this.#spansByPath ??= this.#db.prepare("SELECT spans FROM searched WHERE root = ? AND path = ?");
		const record = this.#spansByPath.get(this.#root, path);
		if (!record || record.spans === null) return undefined;
		return JSON.parse(String(record.spans)) as readonly ByteSpan[];
	}

	/** Stores what was learned, keeping what is stored of the same state of a file. */
	store(files: readonly LearnedFile[]): void {
		const learned = ["accents", "row", "damaged", "spans"];
		const stamp = ["dev", "ino", "size", "mtime", "ctime"];
		const isSame = stamp.map((column) => `${column} = :${column}`).join(" AND ");
		const statement = this.#db.prepare(`INSERT INTO searched (root, path, ${[...stamp, ...learned].join(", ")})
			VALUES (:root, :path, ${[...stamp, ...learned].map((column) => `:${column}`).join(", ")})
			ON CONFLICT (root, path) DO UPDATE SET
			${learned.map((column) => `${column} = CASE WHEN ${isSame} THEN coalesce(:${column}, ${column}) ELSE :${column} END`)},
			${stamp.map((column) => `${column} = :${column}`).join(", ")}`);
		for (let start = 0; start < files.length; start += AT_ONCE)
			transact(this.#db, () => {
				for (const file of files.slice(start, start + AT_ONCE)) statement.run({ root: this.#root, ...recordOf(file) });
			});
	}

	/** Removes files that are gone, and those that were counted since, about which more is known. */
	clean(gone: readonly string[]): void {
		transact(this.#db, () => {
			const statement = this.#db.prepare("DELETE FROM searched WHERE root = ? AND path = ?");
			for (const path of gone) statement.run(this.#root, path);
			this.#db
				.prepare(
					`DELETE FROM searched WHERE root = ? AND EXISTS (SELECT 1 FROM session WHERE session.root = searched.root
					AND session.path = searched.path AND counted_size = searched.size AND counted_mtime = searched.mtime)`,
				)
				.run(this.#root);
		});
	}
}

function recordOf({ path, dev, ino, size, mtimeMs, ctimeMs, accents, row, abandoned }: LearnedFile) {
	const texts = { row: row ? rowToJson(row) : null, spans: abandoned ? JSON.stringify(abandoned) : null };
	return {
		...{ path, dev, ino, size, mtime: mtimeMs, ctime: ctimeMs },
		...texts,
		accents: accents === undefined ? null : accentsMark({ path, size, mtimeMs }, accents),
		damaged: row ? Number(isDamaged(row.diagnostics)) : null,
	};
}
