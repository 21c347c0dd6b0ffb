import { homedir } from "node:os";
import type { SessionRow } from "../../catalog/model/row.ts";
import { placedPath } from "../../catalog/places/place.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import { StoreError } from "../../store/files/store-error.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { areAsTaken } from "../../store/held/held-sessions.ts";
import { readChecked, readHeld } from "../../store/held/hold-session.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Given } from "../arguments/arguments.ts";
import { type Mistake, withProgressNote } from "../print/output.ts";
import { isPath } from "./find-session.ts";
import { findEntry, findTarget, type Target } from "./find-target.ts";
import { giveMemoryBack, keepHeapSmallFor } from "./heap-flags.ts";
import type { FetchedSession } from "./placed-target.ts";

/** A session that a word names, read whole. */
export interface ReadTarget {
	readonly session: Session;
	/** Absolute path of its file, also if what else is here is masked. */
	readonly path: string;
	/** Its row in the list. */
	readonly row: SessionRow;
	/** A word that names the session: its path if a path was typed, else its id. */
	readonly name: string;
	/** The entry that the word names; undefined if it names only a session. */
	readonly entry?: SessionEntry;
	/** UTF-16 units of the entry's text to skip (`limit.ts`); undefined if the word has no offset. */
	readonly offset?: number;
	/** The home directory, which is printed as "~"; "" if paths have been shortened already. */
	readonly home: string;
}

export interface ReadOptions {
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
	{ offsets = false, part }: ReadOptions = {},
): Promise<ReadTarget | Mistake> {
	const found: Found | Mistake = (await findPlaced(word)) ?? (await findTarget(word, given, { archived: true }));
	if ("mistake" in found) return found;
	const { path: file, entry: typed, fetched } = found;
	try {
		keepHeapSmallFor(file);
		const reading = part === undefined ? readChecked(file) : readHeld(file);
		const session = await withProgressNote(reading, () => "Reading …");
		const row = fetched?.row ?? scanFile(file).row;
		const { path } = fetched?.row ?? found;
		if (session.header === undefined && session.entries.length === 0) {
			const reason = session.diagnostics.find(({ severity }) => severity === "damage")?.message;
			return { mistake: `there is no session in ${path}${reason === undefined ? "" : `: ${reason}`}` };
		}
		const name = isPath(word) || row.id === "" ? path : placedPath(row.place, row.id);
		const read = { session, path, row, name, home: fetched?.home ?? homedir() };
		const whole = typed === undefined ? read : withEntry(read, typed, offsets);
		if (part === undefined || "mistake" in whole || areAsTaken(await part(whole))) return whole;
		// A line that is needed turned out not to be what its first and last bytes suggest: others may not be, either.
		return readTarget(word, given, { offsets });
	} catch (error) {
		if (error instanceof StoreError) return { mistake: error.message };
		throw error;
	}
}

/** A session's file, and what is known of it if it is a copy from another place. */
type Found = Target & { readonly fetched?: FetchedSession };

/** Fetches a session of another place ("mini:01a1ff89"); undefined if the word does not name a place. */
async function findPlaced(word: string): Promise<Found | Mistake | undefined> {
	if (!/^[^:/\\]{2,}:./.test(word)) return undefined;
	const { fetchSession, placedWord } = await import("./placed-target.ts");
	const [, session = word, entry] = /^(.*)#(.*)$/s.exec(word) ?? [];
	const placed = placedWord(session);
	if (placed === undefined) return undefined;
	const fetched = await fetchSession(placed.place, placed.session);
	if ("mistake" in fetched) return fetched;
	return { path: fetched.copy, fetched, ...(entry !== undefined && { entry }) };
}

/** Adds the typed entry, and the offset behind it. */
function withEntry(read: ReadTarget, typed: string, offsets: boolean): ReadTarget | Mistake {
	const { session } = read;
	const [, id = typed, offset] = (offsets && !session.tree.byId.has(typed) && /^(.+)@(\d{1,15})$/s.exec(typed)) || [];
	const entry = findEntry(session.entries, id, session.path);
	if ("mistake" in entry) return entry;
	return { ...read, entry, ...(offset !== undefined && { offset: Number(offset) }) };
}

/** After reading a larger session, its memory is given back: the change itself needs it. */
const LARGE_SESSION = 64 * 1024 * 1024;

/** Finds the id of the entry that a target names; `usage`: for the message. Rejects when the session cannot be read. */
export async function entryOf(target: Target, usage: string): Promise<{ readonly id: string } | Mistake> {
	const { entry: typed } = target;
	if (typed === undefined || typed === "")
		return {
			mistake: `an entry is needed; pi-grove search and pi-grove show --tree print the ids of entries: ${usage}`,
		};
	const { found, size } = await lookFor(target.path, typed);
	if (size > LARGE_SESSION) giveMemoryBack();
	return found;
}

async function lookFor(path: string, typed: string) {
	const { entries, size } = await readHeld(path);
	const entry = findEntry(entries, typed, path);
	// Returns only the id: an entry would keep the whole session in memory.
	return { found: "mistake" in entry ? entry : { id: entry.id }, size };
}
