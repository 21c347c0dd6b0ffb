import { spawn } from "node:child_process";
import { constants } from "node:os";
import { removePrivateDirectories } from "../../app/world/effects/temporary-directory.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { commandThere, type HostPlace, type Place, placedPath, splitPlaced } from "../../catalog/places/place.ts";
import type { PlacedCatalog } from "../../catalog/places/placed-catalog.ts";
import { enumerate, type Mistake, withProgressNote } from "../print/output.ts";
import { knownPlaces, type OpenPlaces, orMistake, withOpenPlaces } from "./open-places.ts";

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

/** Finds a session of a place, and fetches it. `places`: stay open; without them, the place is closed again. */
export function fetchSession(target: PlacedTarget, places?: OpenPlaces): Promise<FetchedSession | Mistake> {
	const { name } = target.place;
	const fetching =
		places === undefined ? withOpenPlaces((own) => fetch(target, own)) : orMistake(() => fetch(target, places));
	return withProgressNote(fetching, () => `Reading from ${name} …`);
}

async function fetch(target: PlacedTarget, places: OpenPlaces): Promise<FetchedSession | Mistake> {
	const catalog = await places.open(target.place);
	const row = rowIn(catalog, target);
	if ("mistake" in row) return row;
	removeAtSignals();
	const copy = await catalog.fileOf(row.path, new AbortController().signal);
	const now = (await catalog.hello)?.now ?? Date.now();
	const isWritten = now - row.modified.getTime() < RECENT_MS;
	return { row, copy, home: catalog.home ?? "", isWritten, isRemote: target.place.kind === "ssh" };
}

/** Sessions of places, and all sessions of these places, as they are called here. */
interface FoundInPlaces {
	readonly named: readonly SessionRow[];
	readonly all: readonly SessionRow[];
}

/** Finds sessions of places without reading them. */
export function findInPlaces(targets: readonly PlacedTarget[], places: OpenPlaces): Promise<FoundInPlaces | Mistake> {
	const find = async (): Promise<FoundInPlaces | Mistake> => {
		const named: SessionRow[] = [];
		const catalogs = new Set<PlacedCatalog>();
		for (const target of targets) {
			const catalog = await places.open(target.place);
			const row = rowIn(catalog, target);
			if ("mistake" in row) return row;
			named.push(row);
			catalogs.add(catalog);
		}
		return { named, all: [...catalogs].flatMap(({ rows }) => [...rows.values()]) };
	};
	const names = new Set(targets.map(({ place }) => place.name));
	return withProgressNote(find(), () => `Connecting to ${enumerate([...names])} …`);
}

/** Finds a session among those of its place. */
function rowIn({ rows }: PlacedCatalog, { place: { name }, session }: PlacedTarget): SessionRow | Mistake {
	const exact = rows.get(placedPath(name, session));
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
export async function resumeInPlace(target: PlacedTarget, options: readonly string[]): Promise<number | Mistake> {
	const { place, entry } = target;
	if (place.kind === "dir")
		return { mistake: `the sessions of ${place.name} are only read: pi uses another directory here (${place.path})` };
	const connecting = withOpenPlaces(async (places) => rowIn(await places.open(place), target));
	const row = await withProgressNote(connecting, () => `Connecting to ${place.name} …`);
	if ("mistake" in row) return row;
	const there = splitPlaced(row.path)?.rest ?? "";
	const word = entry === undefined ? there : `${there}#${entry}`;
	return runThere(place, ["resume", word, ...options]);
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
