import { homedir } from "node:os";
import { removePrivateDirectories } from "../../app/world/effects/temporary-directory.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { PlaceError, placedPath, type SessionsPlace, splitPlaced } from "../../catalog/places/place.ts";
import { runForeground } from "../../terminal/run-foreground.ts";
import { stdioOf } from "../../terminal/terminal.ts";
import { Mistake, orMistake, withProgressNote } from "../print/output.ts";
import { knownPlaces, type OpenPlaces, withPlaces } from "./open-places.ts";

/** A session of a place, and a file with it here for as long as the command runs. */
export interface FetchedSession {
	/** As it is there, with the path by which it is called here. */
	readonly row: SessionRow;
	/** Path of the file: of a private copy, or of a directory's own. */
	readonly copy: string;
	/** Home directory there. */
	readonly home: string;
	/** Whether something was said in it shortly before. */
	readonly isWritten: boolean;
	/** Whether that, and the directory of the session, are on another machine. */
	readonly isRemote: boolean;
}

/** A session that was written to so short a time ago, in ms by the clock there, may be in use. */
const RECENT_MS = 60_000;

/** What "mini:01a1ff89#a1b2c3d4" names. */
export interface PlacedTarget {
	readonly place: SessionsPlace;
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

/** Finds a session of a place, and fetches it; rejects with a `Mistake`. `open`: the place and others, if they stay open; without them, it is closed again. */
export async function fetchSession(target: PlacedTarget, open?: OpenPlaces): Promise<FetchedSession> {
	if (open === undefined) return withPlaces([target.place], (places) => fetchSession(target, places));
	const row = findInPlace(target, open);
	removeAtSignals();
	const { catalog } = open;
	const { name, kind } = target.place;
	const fetching = withProgressNote(catalog.fileOf(row.path), () => `Reading from ${name} …`);
	const copy = await orMistake(fetching, PlaceError);
	const { now = Date.now(), home = homedir() } = catalog.helloOf(name) ?? {};
	const isWritten = now - row.modified.getTime() < RECENT_MS;
	return { row, copy, home, isWritten, isRemote: kind === "ssh" };
}

/** Finds a session among those of its place, without reading it. */
export function findInPlace({ place: { name }, session }: PlacedTarget, { catalog, failures }: OpenPlaces): SessionRow {
	const failure = failures.find(({ path }) => path === name);
	if (failure !== undefined) throw new Mistake(failure.message);
	const rows = catalog.rowsOf(name);
	const exact = rows.filter(({ path }) => path === placedPath(name, session));
	const matches = exact.length > 0 ? exact : rows.filter(({ id }) => id !== "" && id.startsWith(session));
	const [row, ...others] = matches;
	if (row === undefined) throw new Mistake(`no session of ${name} has an id that begins with ${session}`);
	if (others.length === 0) return row;
	throw new Mistake(
		`${matches.length} sessions of ${name} have an id that begins with ${session}; name one by more of it`,
	);
}

/**
 * Goes on with a session of another machine, in this terminal: pi-grove there does what it does for its own, with all of its questions.
 * Returns the exit code. `options`: of the command `resume`.
 */
export async function resumeInPlace(target: PlacedTarget, options: readonly string[]): Promise<number> {
	const { place, entry } = target;
	if (place.kind === "dir")
		throw new Mistake(`the sessions of ${place.name} are read-only: pi uses another directory here (${place.path})`);
	const line = await withPlaces([place], async (open) =>
		open.catalog.resumeThere(findInPlace(target, open).path, entry, options),
	);
	let failure: string | undefined;
	const onFailure = (reason: string): void => {
		failure = `${place.name}: ssh cannot be started: ${reason}`;
	};
	const terminal = { input: process.stdin, output: process.stdout, close: () => undefined };
	const code = await runForeground({ ...line, cwd: homedir(), onFailure }, stdioOf(terminal));
	if (failure !== undefined) throw new Mistake(failure);
	return code;
}

let isRemoving = false;

/** Removes the copies also when a signal ends the program, for which there is no `exit` event. */
function removeAtSignals(): void {
	if (isRemoving) return;
	isRemoving = true;
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
		process.once(signal, () => {
			removePrivateDirectories();
			process.kill(process.pid, signal);
		});
}
