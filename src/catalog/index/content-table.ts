import type { DatabaseSync } from "node:sqlite";
import { check, checksum } from "./checksum.ts";
import { IndexDamage } from "./sqlite.ts";
import { EVERY_WORD, type WordFilter } from "./word-filter.ts";

/** What a search asks of the content of a session that was counted. */
export interface SessionContent {
	/** The words that the person has said, also in an unfinished last line. */
	readonly said: WordFilter;
	/** Whether each line could be read. */
	readonly sound: boolean;
}

/** A file whose content was counted. */
interface CountedFile {
	readonly size: number;
	readonly mtimeMs: number;
}

/** The content of a file, and which state of it that is. */
export interface StoredContent extends SessionContent, CountedFile {}

/** Of a session of which nothing is known. */
export const UNKNOWN_CONTENT: SessionContent = { said: EVERY_WORD, sound: false };

const COLUMNS = "session, size, mtime, said, sound, content_check";

/** Stores the `contentValues` of a session. */
export const STORE_CONTENT = `INSERT OR REPLACE INTO content (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;

/** `id`: of the session in the index. */
export function contentValues(
	{ id, size, mtimeMs }: CountedFile & { readonly id: number },
	{ said, sound }: SessionContent,
): (number | WordFilter)[] {
	const values = [id, size, mtimeMs, said, Number(sound)];
	return [...values, checksum(...values)];
}

/** The content of a session, as far as it has been counted. Throws an `IndexDamage`. */
export function contentOf(db: DatabaseSync, id: number): SessionContent {
	const statement = db.prepare(`SELECT ${COLUMNS} FROM content WHERE session = ?`);
	statement.setReturnArrays(true);
	const values: unknown = statement.get(id);
	return Array.isArray(values) ? checked(values)[1] : UNKNOWN_CONTENT;
}

/** The same of all sessions, by id. Throws an `IndexDamage`. */
export function allContents(db: DatabaseSync): Map<number, StoredContent> {
	const statement = db.prepare(`SELECT ${COLUMNS} FROM content`);
	// Objects take longer.
	statement.setReturnArrays(true);
	return new Map(statement.all().map((values) => checked(Object.values(values))));
}

/** Whether this is the content of a file as it is now. */
export function sameContent(content: StoredContent, { size, mtimeMs }: CountedFile): boolean {
	return content.size === size && content.mtimeMs === mtimeMs;
}

function checked(values: readonly unknown[]): [id: number, content: StoredContent] {
	const [id, size, mtimeMs, said, sound, sum] = values;
	check(sum, id, size, mtimeMs, said, sound);
	if (!(said instanceof Uint8Array)) throw new IndexDamage("the content of a session in the index is damaged");
	return [Number(id), { size: Number(size), mtimeMs: Number(mtimeMs), said, sound: sound === 1 }];
}
