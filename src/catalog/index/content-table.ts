import type { DatabaseSync } from "node:sqlite";
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

/** A record of the columns. */
type ContentRecord = readonly [id: number, size: number, mtimeMs: number, said: WordFilter, sound: number];

const COLUMNS = "session, size, mtime, said, sound";

/** Stores the `contentValues` of a session. */
export const STORE_CONTENT = `INSERT OR REPLACE INTO content (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`;

/** `id`: of the session in the index. */
export function contentValues(
	{ id, size, mtimeMs }: CountedFile & { readonly id: number },
	{ said, sound }: SessionContent,
): (number | WordFilter)[] {
	return [id, size, mtimeMs, said, Number(sound)];
}

/** The content of a session, as far as it has been counted. Throws an `IndexDamage`. */
export function contentOf(db: DatabaseSync, id: number): SessionContent {
	const statement = db.prepare(`SELECT ${COLUMNS} FROM content WHERE session = ?`);
	statement.setReturnArrays(true);
	// As below.
	const record = statement.get(id) as unknown as ContentRecord | undefined;
	return record === undefined ? UNKNOWN_CONTENT : checked(record)[1];
}

/** The same of all sessions, by id. Throws an `IndexDamage`. */
export function allContents(db: DatabaseSync): Map<number, StoredContent> {
	const statement = db.prepare(`SELECT ${COLUMNS} FROM content`);
	// Objects take longer.
	statement.setReturnArrays(true);
	// The columns of the query above; a value of another type does not match its checksum.
	const all = statement.all() as unknown as readonly ContentRecord[];
	return new Map(all.map(checked));
}

/** Whether this is the content of a file as it is now. */
export function sameContent(content: StoredContent, { size, mtimeMs }: CountedFile): boolean {
	return content.size === size && content.mtimeMs === mtimeMs;
}

function checked(record: ContentRecord): [id: number, content: StoredContent] {
	const [id, size, mtimeMs, said, sound] = record;
	return [id, { size, mtimeMs, said, sound: sound === 1 }];
}
