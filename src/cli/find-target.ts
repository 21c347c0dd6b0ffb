import { existsSync } from "node:fs";
import { list } from "../catalog/list-all.ts";
import { isSession } from "../catalog/model/row.ts";
import { findSessionRoots } from "../catalog/model/session-roots.ts";
import type { SessionEntry } from "../store/format/schema.ts";
import { findSession } from "./find-session.ts";
import type { Given } from "./given.ts";

/** What a command is about: a session, and perhaps an entry of it. */
export interface Target {
	/** Absolute path of the session's file, as the list has it. */
	readonly path: string;
	/** The directory that holds it, where that is not listed. */
	readonly sessionDir?: string;
	/** The entry, as it was typed: an id, or the beginning of one (`findEntry`). */
	readonly entry?: string;
}

/** A word that names nothing, or more than one thing: one line for stderr, with the candidates. */
export interface Mistake {
	readonly mistake: string;
}

/**
 * The session, and the entry, that a word names: a path, an id, the unique beginning of one, or "." for the session of the
 * current directory with the newest activity; behind a "#" the entry.
 */
export async function findTarget(word: string, { sessionDir }: Given): Promise<Target | Mistake> {
	const { session, entry } = takeApart(word);
	const found =
		session === "."
			? await newestHere(sessionDir)
			: findSession(session, await findSessionRoots({ sessionDirFlag: sessionDir }), process.cwd());
	return "mistake" in found || entry === undefined ? found : { ...found, entry };
}

/** A file may have a "#" in its name. */
function takeApart(word: string): { readonly session: string; readonly entry?: string } {
	const at = word.lastIndexOf("#");
	if (at < 0 || existsSync(word)) return { session: word };
	return { session: word.slice(0, at), entry: word.slice(at + 1) };
}

async function newestHere(sessionDir: string | undefined): Promise<Target | Mistake> {
	const cwd = process.cwd();
	const newest = (await list(cwd, { sessionDir })).find(isSession);
	return newest === undefined ? { mistake: `there is no session of ${cwd}` } : { path: newest.path };
}

/** Entries that are named when several match. */
const MOST_NAMED = 5;

/** The entry of a session whose id is `typed`, or the only one whose id begins so. */
export function findEntry(entries: readonly SessionEntry[], typed: string, path: string): SessionEntry | Mistake {
	const exact = entries.filter(({ id }) => id === typed);
	const found = exact.length > 0 ? exact : entries.filter(({ id }) => typed !== "" && id.startsWith(typed));
	// Of entries with the same id, pi and we take the last.
	const last = found.at(-1);
	if (last !== undefined && (exact.length > 0 || found.length === 1)) return last;
	if (last === undefined) return { mistake: `no entry of ${path} has an id that begins with ${typed}` };
	const named = found.slice(0, MOST_NAMED).map(({ id }) => id);
	const more = found.length > MOST_NAMED ? ` and ${found.length - MOST_NAMED} more` : "";
	return {
		mistake: `${found.length} entries of ${path} have ids that begin with ${typed}: ${named.join(", ")}${more}`,
	};
}
