import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionRow } from "../../catalog/model/row.ts";
import { PlaceError } from "../../catalog/places/connection.ts";
import { type Place, placedPath } from "../../catalog/places/place.ts";
import { listPlace, readFromPlace } from "../../catalog/places/place-sessions.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { type Mistake, withProgressNote } from "../print/output.ts";
import { knownPlaces, withPlace } from "./placed-sessions.ts";

/** A session of a place, and a copy of its file here for as long as the command runs. */
export interface FetchedSession {
	/** As it is there, with the path by which it is called here. */
	readonly row: SessionRow;
	/** Path of the copy. */
	readonly copy: string;
	/** Home directory there. */
	readonly home: string;
}

/** The place and the session that "mini:01a1ff89" names; undefined if there is no such place. */
export function placedWord(word: string): { readonly place: Place; readonly session: string } | undefined {
	const [, name, session = ""] = /^([^:/\\]+):(.+)$/s.exec(word) ?? [];
	const place = name === undefined ? undefined : knownPlaces().find((one) => one.name === name);
	return place && { place, session };
}

/** Finds a session of a place by its path there, its id or the beginning of that, and fetches it. */
export async function fetchSession(place: Place, session: string): Promise<FetchedSession | Mistake> {
	try {
		return await withProgressNote(fetch(place, session), () => `Reading from ${place.name} …`);
	} catch (error) {
		if (error instanceof PlaceError) return { mistake: sanitizeLine(error.message) };
		throw error;
	}
}

async function fetch(place: Place, session: string): Promise<FetchedSession | Mistake> {
	return withPlace(place, async (connection) => {
		const { rows } = await listPlace(connection);
		const found = rows.has(session)
			? [rows.get(session)]
			: [...rows.values()].filter(({ id }) => id !== "" && id.startsWith(session));
		const [row] = found;
		if (row === undefined) return { mistake: `no session of ${place.name} has an id that begins with ${session}` };
		if (found.length > 1)
			return {
				mistake: `${found.length} sessions of ${place.name} have an id that begins with ${session}; name one by more of it`,
			};
		// Nothing from there is part of the name. Read in pieces, it may be larger than what fits into memory.
		const directory = mkdtempSync(join(tmpdir(), "pi-grove-place-"));
		removeAtEnd(directory);
		const copy = join(directory, "session.jsonl");
		const file = await open(copy, "wx", 0o600);
		try {
			await readFromPlace(connection, row.path, (bytes) => file.appendFile(bytes));
		} finally {
			await file.close();
		}
		return {
			row: { ...row, path: placedPath(place.name, row.path), place: place.name },
			copy,
			home: connection.hello.home,
		};
	});
}

/** Removes a directory when the program ends, also by a signal. */
function removeAtEnd(directory: string): void {
	const remove = (): void => rmSync(directory, { recursive: true, force: true });
	process.once("exit", remove);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		process.once(signal, () => {
			remove();
			process.kill(process.pid, signal);
		});
}
