import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createPrivateDirectory, removePrivateDirectories } from "../../app/world/effects/temporary-directory.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { type PlaceConnection, PlaceError } from "../../catalog/places/connection.ts";
import { type HostPlace, type Place, placedPath, splitPlaced } from "../../catalog/places/place.ts";
import { PlaceCopies } from "../../catalog/places/place-copies.ts";
import { listPlace, readFromPlace } from "../../catalog/places/place-sessions.ts";
import { commandThere } from "../../catalog/places/transport.ts";
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

/** What "mini:01a1ff89#a1b2c3d4" names. */
export interface PlacedTarget {
	readonly place: Place;
	/** Path there, id, or the beginning of one. */
	readonly session: string;
	readonly entry?: string;
}

/** What a word names in another place; undefined if there is no such place. */
export function placedTarget(word: string): PlacedTarget | undefined {
	const { place: name, rest = "" } = splitPlaced(word) ?? {};
	const place = name === undefined ? undefined : knownPlaces().find((one) => one.name === name);
	if (place === undefined) return undefined;
	const [, session = rest, entry] = /^(.*)#(.*)$/s.exec(rest) ?? [];
	return { place, session, ...(entry !== undefined && { entry }) };
}

/** Finds a session of a place, and fetches it. */
export async function fetchSession({ place, session }: PlacedTarget): Promise<FetchedSession | Mistake> {
	try {
		return await withProgressNote(fetch(place, session), () => `Reading from ${place.name} …`);
	} catch (error) {
		if (error instanceof PlaceError) return { mistake: sanitizeLine(error.message) };
		throw error;
	}
}

async function fetch(place: Place, session: string): Promise<FetchedSession | Mistake> {
	return withPlace(place, async (connection) => {
		const row = await findRow(connection, session);
		if ("mistake" in row) return row;
		removeAtSignals();
		const placed = { ...row, path: placedPath(place.name, row.path), place: place.name };
		const copy = await new PlaceCopies(createPrivateDirectory).copyOf(placed, (range, onBytes) =>
			readFromPlace(connection, row.path, onBytes, range),
		);
		return { row: placed, copy, home: connection.hello.home };
	});
}

/** Finds a session of a place, as it is there. */
async function findRow(connection: PlaceConnection, session: string): Promise<SessionRow | Mistake> {
	const { name } = connection;
	const { rows } = await listPlace(connection);
	const exact = rows.get(session);
	const found = exact ? [exact] : [...rows.values()].filter(({ id }) => id !== "" && id.startsWith(session));
	const [row] = found;
	if (row === undefined) return { mistake: `no session of ${name} has an id that begins with ${session}` };
	if (found.length === 1) return row;
	return {
		mistake: `${found.length} sessions of ${name} have an id that begins with ${session}; name one by more of it`,
	};
}

/**
 * Goes on with a session of another machine, in this terminal: pi-grove there does what it does for its own, with all of its questions.
 * Returns the exit code. `options`: of the command `resume`.
 */
export async function resumeInPlace(
	{ place, session, entry }: PlacedTarget,
	options: readonly string[],
): Promise<number | Mistake> {
	if (place.kind === "dir")
		return { mistake: `the sessions of ${place.name} are only read: pi uses another directory here (${place.path})` };
	try {
		const connecting = withPlace(place, (connection) => findRow(connection, session));
		const row = await withProgressNote(connecting, () => `Connecting to ${place.name} …`);
		if ("mistake" in row) return row;
		const word = entry === undefined ? row.path : `${row.path}#${entry}`;
		return await runThere(place, ["resume", word, ...options]);
	} catch (error) {
		if (error instanceof PlaceError) return { mistake: sanitizeLine(error.message) };
		throw error;
	}
}

/** Runs pi-grove on another machine in this terminal; resolves to its exit code. */
function runThere(place: HostPlace, words: readonly string[]): Promise<number | Mistake> {
	const { command, args } = commandThere(place, words);
	const child = spawn(command, args, { stdio: "inherit" });
	// The terminal sends it to ssh, too, for which it is meant.
	const ignore = (): void => undefined;
	process.on("SIGINT", ignore);
	return new Promise<number | Mistake>((resolve) => {
		child.on("error", (error) => resolve({ mistake: `${place.name}: ssh cannot be started: ${error.message}` }));
		child.on("close", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
	}).finally(() => process.off("SIGINT", ignore));
}

/** Removes the copies also when a signal ends the program, for which there is no `exit` event. */
function removeAtSignals(): void {
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		process.once(signal, () => {
			removePrivateDirectories();
			process.kill(process.pid, signal);
		});
}
