import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { knownFiles } from "../../catalog/index/session-table.ts";
import { list } from "../../catalog/list-all.ts";
import { isSession, type SessionRow } from "../../catalog/model/row.ts";
import { isSessionPath } from "../../catalog/model/run-place.ts";
import {
	findSessionRoots,
	isArchived,
	type ListOptions,
	type SessionRoots,
} from "../../catalog/model/session-roots.ts";
import { placedPath, splitPlaced } from "../../catalog/places/place.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import { entryPlainText } from "../../conversation/markdown/plain-text.ts";
import { originalOf } from "../../store/files/conflict-copy.ts";
import { resolvePath } from "../../store/files/paths.ts";
import { StoreError } from "../../store/files/store-error.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { areAsTaken } from "../../store/held/held-message.ts";
import { readChecked, readHeld } from "../../store/held/hold-session.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCount, formatDayTime } from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import type { Given } from "../arguments/arguments.ts";
import { candidateLines, type Mistake, remark, withProgressNote } from "../print/output.ts";
import {
	type FindOptions,
	type FoundSession,
	findSession,
	isPath,
	type SessionId,
	sessionIds,
} from "./find-session.ts";
import type { OpenPlaces } from "./open-places.ts";
import type { FetchedSession, PlacedTarget } from "./placed-target.ts";

/**
 * Whether a word names a session that no list of this machine has: one of another place, or a file outside of the directories in which
 * sessions are looked for. Only the word is looked at: nothing is connected to, and the file is not touched, since even looking for
 * it may mount a disk or log in to another machine.
 */
export async function isOutside(word: string, { sessionDir }: Given): Promise<boolean> {
	if ((await placedIn(word)) !== undefined) return true;
	if (!isPath(word)) return false;
	const roots = await findSessionRoots({ sessionDir });
	const elsewhere = await knownFiles(roots);
	// A "#" may be part of the name.
	const paths = [word, word.replace(/#[^#]*$/, "")]
		.map((typed) => resolvePath(typed))
		.filter((path) => path.endsWith(".jsonl"));
	return !paths.some((path) => isSessionPath(path, roots) || isArchived(path, roots) || elsewhere.has(path));
}

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
	const placed = await placedIn(word);
	if (placed !== undefined)
		return {
			mistake: `${word} is in another place, ${placed.place.name}, where sessions are only read: show, export, files, doctor, path, resume and bring take it`,
		};
	const { session, entry } = splitWord(word);
	if (session === "") return { mistake: `${word} names no session: put one in front of the #` };
	if (entry === "") return { mistake: `${word} names no entry: put its id, or the beginning of it, behind the #` };
	const findNamed = async (): Promise<FoundSession> => {
		const roots = await findSessionRoots({ sessionDir });
		const { elsewhere = await knownFiles(roots) } = options;
		return findSession(session, roots, process.cwd(), { ...options, elsewhere });
	};
	const found = session === "." ? await newestIn(process.cwd(), { sessionDir }) : await findNamed();
	return "mistake" in found || entry === undefined ? found : { ...found, entry };
}

/** Finds the session that a word names, the archive included, for a command that takes no entries. */
export async function findWhole(word: string, given: Given): Promise<Target | Mistake> {
	const found = await findTarget(word, given, { archived: true });
	if ("mistake" in found || found.entry === undefined) return found;
	return entryMistake(word);
}

/** For a command that takes no entries. */
export function entryMistake(word: string): Mistake {
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
	const found = (await list(cwd, options)).filter(
		(row) => isSession(row) && originalOf(row.path, existsSync) === undefined,
	);
	// A run at work has newer activity than the session that started it; in a worktree of its own there may be only the run.
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
interface Targets {
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
	const own = await findSessionRoots({ sessionDir: given.sessionDir });
	const stored = await knownFiles(own);
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
	const sessionRoots = elsewhere === undefined ? own : await findSessionRoots({ sessionDir: elsewhere });
	return { targets: [first, ...others], sessionRoots, elsewhere };
}

/** After a change in another session directory, prints how to undo it: a plain undo works on the person's own. */
export function remarkElsewhere({ elsewhere }: Targets): void {
	if (elsewhere !== undefined)
		remark(`These sessions have a history of their own: pi-grove undo --session-dir ${elsewhere}`);
}

/** A session that a word names, read whole. */
export interface ReadTarget {
	readonly session: Session;
	/** Absolute path of its file, also if what else is here is masked. */
	readonly path: string;
	readonly row: SessionRow;
	/** A word that names the session: its path if a path was typed, else its id. */
	readonly name: string;
	/** The entry that the word names; undefined if it names only a session. */
	readonly entry?: SessionEntry;
	/** UTF-16 units of the entry's text to skip (`limit.ts`); undefined if the word has no offset. */
	readonly offset?: number;
	/** The home directory, which is printed as "~"; "" if paths have been shortened already. */
	readonly home: string;
	/** Whether the session's directory is on another machine. */
	readonly isRemote: boolean;
}

export interface ReadOptions {
	/** Places that stay connected for further sessions. @default the connection is closed */
	readonly places?: OpenPlaces | undefined;
	/** Whether an offset may follow the entry, as in "a1b2c3d4@8000". @default false */
	readonly offsets?: boolean;
	/**
	 * The entries that are needed. Of a large session only their lines are parsed; damage inside other lines, which their
	 * first and last bytes do not show, is then not among the diagnostics. @default all
	 */
	readonly part?: (read: ReadTarget) => Iterable<SessionEntry> | Promise<Iterable<SessionEntry>>;
}

/** Finds the session that a word names, the archive included, and reads it. A file that is not a session is a mistake. */
export async function readTarget(
	word: string,
	given: Given,
	{ offsets = false, part, places }: ReadOptions = {},
): Promise<ReadTarget | Mistake> {
	const found: Found | Mistake =
		(await findPlaced(word, places)) ?? (await findTarget(word, given, { archived: true }));
	if ("mistake" in found) return found;
	const { path: file, entry: typed, fetched } = found;
	try {
		const reading = part === undefined ? readChecked(file) : readHeld(file);
		const session = await withProgressNote(reading, () => "Reading …");
		const row = fetched?.row ?? scanFile(file).row;
		const { path } = fetched?.row ?? found;
		if (session.header === undefined && session.entries.length === 0) {
			const reason = session.diagnostics.find(({ severity }) => severity === "damage")?.message;
			return { mistake: `there is no session in ${path}${reason === undefined ? "" : `: ${reason}`}` };
		}
		const name = isPath(word) || row.id === "" ? path : placedPath(row.place, row.id);
		const { home = homedir(), isRemote = false } = fetched ?? {};
		const read = { session, path, row, name, home, isRemote };
		const whole = typed === undefined ? read : withEntry(read, typed, offsets);
		if (part === undefined || "mistake" in whole || areAsTaken(await part(whole))) return whole;
		// A needed line is not what its first and last bytes suggest, so others may not be, either.
		return readTarget(word, given, { offsets, places });
	} catch (error) {
		if (error instanceof StoreError) return { mistake: error.message };
		throw error;
	}
}

/** A session's file, and what is known of it if it is a copy from another place. */
type Found = Target & { readonly fetched?: FetchedSession };

/** What a word names in another place ("mini:01a1ff89"); undefined for all other words, for which nothing of that is loaded. */
export async function placedIn(word: string): Promise<PlacedTarget | undefined> {
	return splitPlaced(word) && (await import("./placed-target.ts")).placedTarget(word);
}

/** Fetches a session of another place; undefined if the word names none. */
async function findPlaced(word: string, places: OpenPlaces | undefined): Promise<Found | Mistake | undefined> {
	const placed = await placedIn(word);
	if (placed === undefined) return undefined;
	const fetched = await (await import("./placed-target.ts")).fetchSession(placed, places);
	if ("mistake" in fetched) return fetched;
	return { path: fetched.copy, fetched, ...(placed.entry !== undefined && { entry: placed.entry }) };
}

/** Adds the typed entry, and the offset behind it. */
function withEntry(read: ReadTarget, typed: string, offsets: boolean): ReadTarget | Mistake {
	const { session } = read;
	const [, id = typed, offset] = (offsets && !session.tree.byId.has(typed) && /^(.+)@(\d{1,15})$/s.exec(typed)) || [];
	const entry = findEntry(session.entries, id, session.path);
	if ("mistake" in entry) return entry;
	return { ...read, entry, ...(offset !== undefined && { offset: Number(offset) }) };
}

/** Finds the id of the entry that a target names; `usage`: for the message. Rejects when the session cannot be read. */
export async function entryOf(target: Target, usage: string): Promise<{ readonly id: string } | Mistake> {
	const { entry: typed } = target;
	if (typed === undefined || typed === "")
		return {
			mistake: `an entry is needed; pi-grove search and pi-grove show --tree print the ids of entries: ${usage}`,
		};
	const { entries } = await readHeld(target.path);
	const found = findEntry(entries, typed, target.path);
	// Only the id: an entry would keep the whole session in memory.
	return "mistake" in found ? found : { id: found.id };
}
