import { basename } from "node:path";
import { knownFiles } from "../../catalog/index/session-table.ts";
import type { ListOptions, SessionRoots } from "../../catalog/model/session-roots.ts";
import { findSessionFiles } from "../../catalog/scan/session-files.ts";
import { runToEnd } from "../../shared/steps.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { type FindOptions, findSession, type SessionId, sessionIds } from "../find/find-session.ts";
import { entryIdOf, newestIn, type Target } from "../find/find-target.ts";

interface Opening {
	/** The session whose tree is shown, perhaps with an entry, by its whole id; undefined for the list. */
	readonly session?: Target;
	/** What is typed into the list's filter; "" for nothing. */
	readonly query: string;
}

interface OpeningContext extends Pick<ListOptions, "env" | "home" | "sessionDir"> {
	readonly cwd: string;
	readonly sessionRoots: SessionRoots;
}

/**
 * Reads the words of a command line without a command: a single word that names a session opens it, all others are a query,
 * typed behind `query` (that of `--query`). SESSION#ENTRY opens it at the entry. Rejects with a `Mistake` if the word is a path without a session, or names several.
 */
export async function readOpening(words: readonly string[], query: string, context: OpeningContext): Promise<Opening> {
	const session = words.length === 1 ? await namedSession(words[0] ?? "", context) : undefined;
	if (session !== undefined) return { session, query };
	return { query: [query, ...words].filter((text) => text.trim() !== "").join(" ") };
}

/** The session that a word names; undefined if it is to be searched for. `archived`: whether an id may name an archived session. */
export async function namedSession(
	word: string,
	context: OpeningContext & Pick<FindOptions, "archived">,
): Promise<Target | undefined> {
	const { cwd, sessionRoots, archived } = context;
	if (word === ".") return newestIn(cwd, context);
	const elsewhere = await knownFiles(sessionRoots, context);
	if (isFileTyped(word) && !/\.jsonl#[^#/\\]+$/.test(word)) return findSession(word, sessionRoots, cwd, { elsewhere });
	const [, session = word, entry] = /^(.+)#([^#]+)$/.exec(word) ?? [];
	const isFile = isFileTyped(session);
	const ids = isFile ? [] : idsLike(session, sessionRoots, elsewhere);
	if (ids.length === 0 && !isFile) return undefined;
	const target = findSession(session, sessionRoots, cwd, isFile ? { elsewhere } : { archived, ids: () => ids });
	return entry === undefined ? target : { ...target, entry: await entryIdOf({ ...target, entry }, word) };
}

/** Whether a path is typed. One like src/parser.ts is rather a text to search for, and file:a.jsonl a field. */
export function isFileTyped(word: string): boolean {
	return /^(?:\.{0,2}|~|[A-Za-z]:)[/\\]|^file:\/\/|^(?!.*\w\w:).*\.jsonl$/s.test(word);
}

/** Fewer characters may begin an id by chance: 404, v2. */
const LEAST_OF_ID = 4;

/**
 * The ids that a word may mean: those that begin with it, if it can be no ordinary word; else those that are the word. The
 * latter are looked for only in files that have it in their names, as those of pi do: a query must not read every file.
 */
function idsLike(word: string, sessionRoots: SessionRoots, elsewhere: FindOptions["elsewhere"]): readonly SessionId[] {
	if (!/^[\w.-]+$/.test(word)) return [];
	if (word.length >= LEAST_OF_ID && /\d/.test(word)) {
		return sessionIds(sessionRoots, elsewhere).filter(({ id }) => id.startsWith(word));
	}
	const named = runToEnd(findSessionFiles(sessionRoots, elsewhere)).files.filter(({ path }) => {
		const name = basename(path, ".jsonl");
		return name === word || name.endsWith(`_${word}`);
	});
	return named.filter(({ path }) => readHeader(path)?.id === word).map(({ path }) => ({ path, id: word }));
}
