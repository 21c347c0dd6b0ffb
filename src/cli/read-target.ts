import { homedir } from "node:os";
import type { SessionRow } from "../catalog/model/row.ts";
import { scanFile } from "../catalog/scan/scan-file.ts";
import { StoreError } from "../store/files/store-error.ts";
import type { SessionEntry } from "../store/format/schema.ts";
import { readChecked } from "../store/held/read-checked.ts";
import type { Session } from "../store/read/read-session.ts";
import { isPath } from "./find-session.ts";
import { findEntry, findTarget } from "./find-target.ts";
import type { Given } from "./given.ts";
import type { Mistake } from "./mistake.ts";
import { withProgressNote } from "./progress-note.ts";

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

/**
 * Finds what a word names, in the archive too, and reads it. A file that is not a session is a mistake, with the reason.
 * `offsets`: whether an offset may follow the entry, as in "a1b2c3d4@8000".
 */
export async function readTarget(
	word: string,
	given: Given,
	{ offsets = false }: { readonly offsets?: boolean } = {},
): Promise<ReadTarget | Mistake> {
	const found = await findTarget(word, given, { archived: true });
	if ("mistake" in found) return found;
	const { path, entry: typed } = found;
	try {
		const session = await withProgressNote(readChecked(path), () => "Reading …");
		const { row } = scanFile(path);
		if (session.header === undefined && session.entries.length === 0) {
			const reason = session.diagnostics.find(({ severity }) => severity === "damage")?.message;
			return { mistake: `there is no session in ${path}${reason === undefined ? "" : `: ${reason}`}` };
		}
		const name = isPath(word) || row.id === "" ? path : row.id;
		const read = { session, row, name, home: homedir() };
		if (typed === undefined) return read;
		const [, id = typed, offset] = (offsets && !session.tree.byId.has(typed) && /^(.+)@(\d{1,15})$/s.exec(typed)) || [];
		const entry = findEntry(session.entries, id, path);
		if ("mistake" in entry) return entry;
		return { ...read, entry, ...(offset !== undefined && { offset: Number(offset) }) };
	} catch (error) {
		if (error instanceof StoreError) return { mistake: error.message };
		throw error;
	}
}
