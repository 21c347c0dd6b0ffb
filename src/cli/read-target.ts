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
}

/** Finds what a word names, in the archive too, and reads it. A file that is no session is a mistake, with the reason. */
export async function readTarget(word: string, given: Given): Promise<ReadTarget | Mistake> {
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
		const entry = typed === undefined ? undefined : findEntry(session.entries, typed, path);
		const name = isPath(word) || row.id === "" ? path : row.id;
		if (entry === undefined) return { session, row, name };
		return "mistake" in entry ? entry : { session, row, name, entry };
	} catch (error) {
		if (error instanceof StoreError) return { mistake: error.message };
		throw error;
	}
}
