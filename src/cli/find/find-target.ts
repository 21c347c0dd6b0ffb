import { existsSync } from "node:fs";
import { knownElsewhere } from "../../catalog/known-elsewhere.ts";
import { list } from "../../catalog/list-all.ts";
import { isSession } from "../../catalog/model/row.ts";
import {
	findSessionRoots,
	isArchived,
	type ListOptions,
	type SessionRoots,
} from "../../catalog/model/session-roots.ts";
import { entryPlainText } from "../../conversation/markdown/plain-text.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCount, formatDayTime } from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import type { Given } from "../arguments/arguments.ts";
import { candidateLines, type Mistake, remark } from "../print/output.ts";
import { type FindOptions, type FoundSession, findSession, type SessionId, sessionIds } from "./find-session.ts";

/** The session that a command works on, and perhaps an entry of it. */
export interface Target {
	/** Absolute path of the session's file, as the list has it. */
	readonly path: string;
	/** Its directory, if that is not listed. */
	readonly sessionDir?: string;
	/** The entry as typed: an id, or the beginning of one (`findEntry`). */
	readonly entry?: string;
}

/**
 * Finds the session and the entry that a word names: a path, an id, the unique beginning of one, or "." for the session of the
 * current directory with the newest activity; the entry follows a "#".
 */
export async function findTarget(
	word: string,
	{ sessionDir }: Given,
	options: FindOptions = {},
): Promise<Target | Mistake> {
	const { session, entry } = splitWord(word);
	if (session === "") return { mistake: `${word} names no session: put one in front of the #` };
	if (entry === "") return { mistake: `${word} names no entry: put its id, or the beginning of it, behind the #` };
	const found =
		session === "."
			? await newestIn(process.cwd(), { sessionDir })
			: await findNamed(session, await findSessionRoots({ sessionDirFlag: sessionDir }), options);
	return "mistake" in found || entry === undefined ? found : { ...found, entry };
}

async function findNamed(word: string, roots: SessionRoots, options: FindOptions): Promise<FoundSession> {
	const { elsewhere = await knownElsewhere({}, roots) } = options;
	return findSession(word, roots, process.cwd(), { ...options, elsewhere });
}

/** Finds the session that a word names, the archive included, for a command that takes no entries. */
export async function findWhole(word: string, given: Given): Promise<Target | Mistake> {
	const found = await findTarget(word, given, { archived: true });
	if ("mistake" in found || found.entry === undefined) return found;
	return { mistake: `${word} is an entry; name the session: ${word.slice(0, word.lastIndexOf("#"))}` };
}

/** Splits SESSION#ENTRY; a file may have a "#" in its name. */
function splitWord(word: string): { readonly session: string; readonly entry?: string } {
	const at = word.lastIndexOf("#");
	if (at < 0 || existsSync(word)) return { session: word };
	return { session: word.slice(0, at), entry: word.slice(at + 1) };
}

/** The session of a directory with the newest activity. */
export async function newestIn(cwd: string, options: ListOptions): Promise<Target | Mistake> {
	const found = (await list(cwd, options)).filter(isSession);
	// A run that still works has newer activity than the session that asked for it; with a worktree of its own it may be alone.
	const newest = found.find(({ run }) => run === undefined) ?? found[0];
	return newest === undefined ? { mistake: `there is no session for ${cwd}` } : { path: newest.path };
}

/** Finds the entry whose id is `typed`, or the only one whose id begins with it. */
export function findEntry(entries: readonly SessionEntry[], typed: string, path: string): SessionEntry | Mistake {
	const exact = entries.filter(({ id }) => id === typed);
	const found = exact.length > 0 ? exact : entries.filter(({ id }) => id.startsWith(typed));
	// Of several entries with the same id, pi takes the last one, and so does this.
	const last = found.at(-1);
	if (last !== undefined && (exact.length > 0 || found.length === 1)) return last;
	if (last === undefined) return { mistake: `no entry of ${path} has an id that begins with ${typed}` };
	return {
		mistake: `${formatCount(found.length)} entries of ${path} have an id that begins with ${typed}; name one by more of its id:`,
		candidates: () => candidatesOf(found),
	};
}

/** Cells of an entry's text among the candidates. */
const TEXT_CELLS = 50;

/** "a1b2c3d4  Thu 5:28  Fine, stream it." */
function candidatesOf(found: readonly SessionEntry[]): string[] {
	return candidateLines(found, (entry) => {
		const said = cutText(sanitizeLine(entryPlainText(entry)), TEXT_CELLS) || entry.type;
		return [entry.id, formatDayTime(timeOf(entry.timestamp), Date.now()), said].join("  ");
	});
}

/** The sessions that a command is to change, and the roots that they belong to. */
export interface Targets {
	readonly targets: readonly [Target, ...Target[]];
	readonly sessionRoots: SessionRoots;
	/** The session directory, if it is not the one of the command line; it has a history of its own. */
	readonly elsewhere?: string | undefined;
}

/**
 * Finds the sessions that words name, each once. They must belong to one list: a change of several sessions is one undo
 * step, and each list has its own history.
 */
export async function findTargets(words: readonly string[], given: Given): Promise<Targets | Mistake> {
	const own = await findSessionRoots({ sessionDirFlag: given.sessionDir });
	const stored = await knownElsewhere({}, own);
	let known: readonly SessionId[] | undefined;
	const ids = (): readonly SessionId[] => {
		known ??= sessionIds(own, stored);
		return known;
	};
	const found = new Map<string, Target>();
	for (const word of words) {
		const target = await findTarget(word, given, { archived: true, elsewhere: stored, ids });
		if ("mistake" in target) return target;
		const { sessionDir, ...rest } = target;
		// The archive belongs to the list, although its sessions are not listed.
		const isElsewhere = sessionDir !== undefined && !isArchived(target.path, own);
		found.set(target.path, isElsewhere ? target : rest);
	}
	const [first, ...others] = found.values();
	if (first === undefined) return { mistake: "no session is named" };
	const other = others.find(({ sessionDir }) => sessionDir !== first.sessionDir);
	if (other !== undefined)
		return {
			mistake: `${first.path} and ${other.path} are in different session directories: change one after the other`,
		};
	const { sessionDir: elsewhere } = first;
	const sessionRoots = elsewhere === undefined ? own : await findSessionRoots({ sessionDirFlag: elsewhere });
	return { targets: [first, ...others], sessionRoots, elsewhere };
}

/** After a change in another session directory, prints how to undo it: a plain undo works on the person's own. */
export function remarkElsewhere({ elsewhere }: Targets): void {
	if (elsewhere !== undefined)
		remark(`These sessions have a history of their own: pi-grove undo --session-dir ${elsewhere}`);
}
