import type { lastOpenedBy } from "../../app/core/program.ts";
import { findSession } from "../find/find-session.ts";
import { entryIdOf, type Target } from "../find/find-target.ts";
import type { Sessions } from "../find/sessions.ts";

interface Opening {
	/** The session whose tree is shown, perhaps with an entry, by its whole id; undefined for the list. */
	readonly session?: Target;
	/** What is typed into the list's filter; "" for nothing. */
	readonly query: string;
}

/**
 * Reads the words of a command line without a command: a single word that names a session opens it, all others are a query,
 * typed behind `query` (that of `--query`). SESSION#ENTRY opens it at the entry. Rejects with a `Mistake` if the word is a path without a session, or names several.
 */
export async function readOpening(words: readonly string[], query: string, sessions: Sessions): Promise<Opening> {
	const session = words.length === 1 ? await namedSession(words[0] ?? "", sessions) : undefined;
	if (session !== undefined) return { session, query };
	return { query: [query, ...words].filter((text) => text.trim() !== "").join(" ") };
}

/** The session that was opened last, at its entry; a sentence if there is none, or it is gone. It may have been archived since. */
export async function lastOpened(last: ReturnType<typeof lastOpenedBy>, sessions: Sessions): Promise<Target | string> {
	if (last === undefined) return "No session has been opened yet.";
	const { id, path, entry } = last;
	for (const word of [path, id]) {
		const session = await findSession(word, sessions, true).catch(() => undefined);
		if (session !== undefined) return { ...session, ...(entry !== undefined && { entry }) };
	}
	return `The session opened last is gone: ${path}`;
}

/** The session that a word names; undefined if it is to be searched for. `archived`: whether an id may name an archived session. */
export async function namedSession(word: string, sessions: Sessions, archived = false): Promise<Target | undefined> {
	if (word === ".") return sessions.newest();
	const isFile = isFileTyped(word);
	if (isFile && !/\.jsonl#[^#/\\]+$/.test(word)) return findSession(word, sessions);
	const [, session = word, entry] = /^(.+)#([^#]+)$/.exec(word) ?? [];
	if (!isFileTyped(session) && !(await mayBeId(session, sessions))) return undefined;
	const target = await findSession(session, sessions, archived);
	return entry === undefined ? target : { ...target, entry: await entryIdOf({ ...target, entry }, word) };
}

/** Whether a path is typed. One like src/parser.ts is rather a text to search for, and file:a.jsonl a field. */
export function isFileTyped(word: string): boolean {
	return /^(?:\.{0,2}|~|[A-Za-z]:)[/\\]|^file:\/\/|^(?!.*\w\w:).*\.jsonl$/s.test(word);
}

/** Fewer characters may begin an id by chance: 404, v2. */
const LEAST_OF_ID = 4;

/** Whether a word is meant as an id: it is one or, if it can be no ordinary word, begins one. */
async function mayBeId(word: string, sessions: Sessions): Promise<boolean> {
	if (!/^[\w.-]+$/.test(word)) return false;
	const mayBeStart = word.length >= LEAST_OF_ID && /\d/.test(word);
	return mayBeStart ? (await sessions.ids()).some(({ id }) => id.startsWith(word)) : sessions.hasId(word);
}
