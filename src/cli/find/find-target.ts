import { existsSync } from "node:fs";
import { homedir } from "node:os";
import type { SessionRow } from "../../catalog/model/row.ts";
import { isSessionPath } from "../../catalog/model/run-place.ts";
import { isArchived, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { placedPath, splitPlaced } from "../../catalog/places/place.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import { entryPlainText } from "../../conversation/markdown/plain-text.ts";
import { resolvePath } from "../../shared/paths.ts";
import { StoreError } from "../../store/files/store-error.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { areAsTaken } from "../../store/held/held-message.ts";
import { readChecked, readHeld } from "../../store/held/hold-session.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCount, formatDayTime } from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { candidateLines, Mistake, orMistake, remark, withProgressNote } from "../print/output.ts";
import { findSession, isPath } from "./find-session.ts";
import type { OpenPlaces } from "./open-places.ts";
import type { FetchedSession, PlacedTarget } from "./placed-target.ts";
import { type NamedSession, Sessions } from "./sessions.ts";

/**
 * Whether a word names a session that no list of this machine has: one of another place, or a file outside of the directories in which
 * sessions are looked for. Only the word is looked at: nothing is connected to, and the file is not touched, since even looking for
 * it may mount a disk or log in to another machine.
 */
export async function isOutside(word: string, args: Arguments): Promise<boolean> {
	if ((await placedIn(word)) !== undefined) return true;
	if (!isPath(word)) return false;
	const sessions = Sessions.of(args);
	const roots = await sessions.roots();
	// A "#" may be part of the name.
	for (const typed of [word, word.replace(/#[^#]*$/, "")]) {
		const path = resolvePath(typed);
		if (!path.endsWith(".jsonl")) continue;
		if (isSessionPath(path, roots) || isArchived(path, roots) || (await sessions.isKnown(path))) return false;
	}
	return true;
}

/** The session that a command works on, and perhaps an entry of it. */
export interface Target extends NamedSession {
	/** The entry as typed: an id, or the beginning of one (`findEntry`). */
	readonly entry?: string;
}

/**
 * Finds the session and the entry that a word names: a path, an id, the unique beginning of one, or "." for the session of the
 * current directory with the newest activity; the entry follows a "#". Rejects with a `Mistake`, as all that find something here.
 */
export async function findTarget(word: string, args: Arguments): Promise<Target> {
	const placed = await placedIn(word);
	if (placed !== undefined)
		throw new Mistake(
			`${word} is in another place, ${placed.place.name}, which is read-only: show, diff, export, files, doctor, path, resume and bring take it`,
		);
	const { session, entry } = splitWord(word);
	if (session === "") throw new Mistake(`${word} names no session: put one in front of the #`);
	if (entry === "") throw new Mistake(`${word} names no entry: put its id, or the beginning of it, behind the #`);
	const sessions = Sessions.of(args);
	const { path, sessionDir } = await (session === "." ? sessions.newest() : findSession(session, sessions, true));
	// The archive belongs to the list, although its sessions are not listed.
	const isListed = sessionDir === undefined || isArchived(path, await sessions.roots());
	return { path, ...(!isListed && { sessionDir }), ...(entry !== undefined && { entry }) };
}

/** Finds the session that a word names, the archive included, for a command that takes no entries. */
export async function findWhole(word: string, args: Arguments): Promise<Target> {
	return withoutEntry(word, await findTarget(word, args));
}

/** The target that a word names, for a command that takes no entries. */
export function withoutEntry<Named extends Pick<Target, "entry">>(word: string, target: Named): Named {
	if (target.entry === undefined) return target;
	throw new Mistake(`${word} is an entry; name the session: ${word.slice(0, word.lastIndexOf("#"))}`);
}

/** Splits SESSION#ENTRY; a file may have a "#" in its name. */
function splitWord(word: string): { readonly session: string; readonly entry?: string } {
	const at = word.lastIndexOf("#");
	if (at < 0 || existsSync(word)) return { session: word };
	return { session: word.slice(0, at), entry: word.slice(at + 1) };
}

/** Finds the entry whose id is `typed`, or the only one whose id begins with it. */
export function findEntry(entries: readonly SessionEntry[], typed: string, session: string): SessionEntry {
	// Of several entries with the same id, pi takes the last one, and so does this.
	const exact = entries.findLast(({ id }) => id === typed);
	const matches = exact === undefined ? entries.filter(({ id }) => id.startsWith(typed)) : [exact];
	const [match, ...others] = matches;
	if (match === undefined) throw new Mistake(`no entry of ${session} has an id that begins with ${typed}`);
	if (others.length === 0) return match;
	throw new Mistake(
		`${formatCount(matches.length)} entries of ${session} have an id that begins with ${typed}; name one by more of its id:`,
		() => candidatesOf(matches),
	);
}

const TEXT_CELLS = 50;

/** "a1b2c3d4  Thu 5:28  Fine, stream it." */
function candidatesOf(matches: readonly SessionEntry[]): string[] {
	return candidateLines(matches, (entry) => {
		const text = cutText(sanitizeLine(entryPlainText(entry)), TEXT_CELLS) || entry.type;
		return [entry.id, formatDayTime(timeOf(entry.timestamp), Date.now()), text].join("  ");
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
export async function findTargets(words: readonly string[], args: Arguments): Promise<Targets> {
	const targets = new Map<string, Target>();
	for (const word of words) {
		const target = await findTarget(word, args);
		targets.set(target.path, target);
	}
	const [first, ...others] = targets.values();
	if (first === undefined) throw new Mistake("no session is named");
	const other = others.find(({ sessionDir }) => sessionDir !== first.sessionDir);
	if (other !== undefined)
		throw new Mistake(
			`${first.path} and ${other.path} are in different session directories: change one after the other`,
		);
	return {
		targets: [first, ...others],
		sessionRoots: await Sessions.of(args).rootsOf(first),
		elsewhere: first.sessionDir,
	};
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
	/** The directory that its list is of, if that is not the person's. */
	readonly sessionDir?: string | undefined;
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
	readonly part?: ((read: ReadTarget) => Iterable<SessionEntry> | Promise<Iterable<SessionEntry>>) | undefined;
}

/** Finds the session that a word names, the archive included, and reads it. A file that is not a session is a mistake. */
export async function readTarget(word: string, args: Arguments, options: ReadOptions = {}): Promise<ReadTarget> {
	const target = (await findPlaced(word, options.places)) ?? (await findTarget(word, args));
	return orMistake(readFound(word, target, options), StoreError);
}

/** A session's file, and what is known of it if it is a copy from another place. */
type FoundTarget = Target & { readonly fetched?: FetchedSession };

async function readFound(
	word: string,
	target: FoundTarget,
	{ offsets = false, part }: ReadOptions,
): Promise<ReadTarget> {
	const { path: file, entry: typed, fetched } = target;
	const reading = part === undefined ? readChecked(file) : readHeld(file);
	const session = await withProgressNote(reading, () => "Reading …");
	const row = fetched?.row ?? scanFile(file).row;
	const { path } = fetched?.row ?? target;
	if (session.header === undefined && session.entries.length === 0) {
		const reason = session.diagnostics.find(({ severity }) => severity === "damage")?.message;
		throw new Mistake(`there is no session in ${path}${reason === undefined ? "" : `: ${reason}`}`);
	}
	const name = isPath(word) || row.id === "" ? path : placedPath(row.place, row.id);
	const { home = homedir(), isRemote = false } = fetched ?? {};
	const whole = { session, path, row, name, home, isRemote, sessionDir: target.sessionDir };
	const read = typed === undefined ? whole : withEntry(whole, typed, offsets);
	if (part === undefined || areAsTaken(await part(read))) return read;
	// A needed line is not what its first and last bytes suggest, so others may not be, either.
	return readFound(word, target, { offsets });
}

/** What a word names in another place ("mini:01a1ff89"); undefined for all other words, for which nothing of that is loaded. */
export async function placedIn(word: string): Promise<PlacedTarget | undefined> {
	return splitPlaced(word) && (await import("./placed-target.ts")).placedTarget(word);
}

/** Fetches a session of another place; undefined if the word names none. */
async function findPlaced(word: string, places: OpenPlaces | undefined): Promise<FoundTarget | undefined> {
	const placed = await placedIn(word);
	if (placed === undefined) return undefined;
	const fetched = await (await import("./placed-target.ts")).fetchSession(placed, places);
	return { path: fetched.copy, fetched, ...(placed.entry !== undefined && { entry: placed.entry }) };
}

/** Adds the typed entry, and the offset behind it. */
function withEntry(read: ReadTarget, typed: string, offsets: boolean): ReadTarget {
	const { session } = read;
	const [, id = typed, offset] = (offsets && !session.tree.byId.has(typed) && /^(.+)@(\d{1,15})$/s.exec(typed)) || [];
	const entry = findEntry(session.entries, id, read.name);
	return { ...read, entry, ...(offset !== undefined && { offset: Number(offset) }) };
}

/** Finds the id of the entry that a target names; `usage`: for the message. Rejects when the session cannot be read. */
export async function entryIdOf({ path, entry: typed = "" }: Target, usage: string): Promise<string> {
	if (typed === "")
		throw new Mistake(
			`an entry is needed; pi-grove search and pi-grove show --tree print the ids of entries: ${usage}`,
		);
	const { entries, header } = await readHeld(path);
	// Only the id: an entry would keep the whole session in memory.
	return findEntry(entries, typed, header?.id || path).id;
}
