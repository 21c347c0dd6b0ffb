import { homedir } from "node:os";
import type { SessionRow } from "../../catalog/model/row.ts";
import { scanFile } from "../../catalog/scan/scan-file.ts";
import { StoreError } from "../../store/files/store-error.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { areAsTaken } from "../../store/held/check-held.ts";
import { readChecked, readHeld } from "../../store/held/read-checked.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Given } from "../arguments/given.ts";
import type { Mistake } from "../print/mistake.ts";
import { withProgressNote } from "../print/progress-note.ts";
import { isPath } from "./find-session.ts";
import { findEntry, findTarget } from "./find-target.ts";
import { keepHeapSmallFor } from "./heap-flags.ts";

/** A session that a word names, read whole. */
export interface ReadTarget {
	readonly session: Session;
	/** What the list shows of it. */
	readonly row: SessionRow;
	/** A word that names the session: its path where that was typed, else its id. */
	readonly name: string;
	/** The entry that the word names; undefined where it names a session alone. */
	readonly entry?: SessionEntry;
	/** Behind how many UTF-16 units of the entry's text it goes on (`limit.ts`); undefined where the word says nothing of it. */
	readonly offset?: number;
	/** The person's home directory, which is printed as "~"; "" where that has been done. */
	readonly home: string;
}

/** How a target is read. */
export interface ReadOptions {
	/** Whether an offset may follow the entry, as in "a1b2c3d4@8000". @default false */
	readonly offsets?: boolean;
	/**
	 * The entries that are to be looked at. Of a large session only their lines are parsed; damage inside another line, which
	 * cannot be seen by its first and last bytes, is then not among the diagnostics. @default all
	 */
	readonly part?: (read: ReadTarget) => Iterable<SessionEntry> | Promise<Iterable<SessionEntry>>;
}

/**
 * Finds what a word names, in the archive too, and reads it. A file that is not a session is a mistake, with the reason.
 */
export async function readTarget(
	word: string,
	given: Given,
	{ offsets = false, part }: ReadOptions = {},
): Promise<ReadTarget | Mistake> {
	const found = await findTarget(word, given, { archived: true });
	if ("mistake" in found) return found;
	const { path, entry: typed } = found;
	try {
		keepHeapSmallFor(path);
		const reading = part === undefined ? readChecked(path) : readHeld(path);
		const session = await withProgressNote(reading, () => "Reading …");
		const { row } = scanFile(path);
		if (session.header === undefined && session.entries.length === 0) {
			const reason = session.diagnostics.find(({ severity }) => severity === "damage")?.message;
			return { mistake: `there is no session in ${path}${reason === undefined ? "" : `: ${reason}`}` };
		}
		const name = isPath(word) || row.id === "" ? path : row.id;
		const read = { session, row, name, home: homedir() };
		const whole = typed === undefined ? read : withEntry(read, typed, offsets);
		if (part === undefined || "mistake" in whole || areAsTaken(await part(whole))) return whole;
		// The line of an entry that is to be shown is not what it looks like: then any other may be, too.
		return readTarget(word, given, { offsets });
	} catch (error) {
		if (error instanceof StoreError) return { mistake: error.message };
		throw error;
	}
}

/** The entry that was typed, and the offset behind it. */
function withEntry(read: ReadTarget, typed: string, offsets: boolean): ReadTarget | Mistake {
	const { session } = read;
	const [, id = typed, offset] = (offsets && !session.tree.byId.has(typed) && /^(.+)@(\d{1,15})$/s.exec(typed)) || [];
	const entry = findEntry(session.entries, id, session.path);
	if ("mistake" in entry) return entry;
	return { ...read, entry, ...(offset !== undefined && { offset: Number(offset) }) };
}
