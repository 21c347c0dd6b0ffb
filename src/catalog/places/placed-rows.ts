import { isOfThisSystem, join, wayInto } from "../../shared/paths.ts";
import { rulesOf } from "../../shared/system.ts";
import { HERE, type SessionRow } from "../model/row.ts";
import type { SearchEvent } from "../search/search.ts";
import { placedPath } from "./place.ts";

export interface Homes {
	readonly there: string;
	readonly here: string;
}

/**
 * A row of a place as it is called among those of all places, with the sessions that it names. With `homes`, a directory in
 * the home there is called as it would be here, so that a project is one on all machines.
 */
export function rowOfPlace(row: SessionRow, place: string, homes?: Homes): SessionRow {
	const { path, run, parentSession, cwd } = row;
	const placed = (other: string | undefined) =>
		other === undefined || other === "" ? other : placedPath(place, other);
	return {
		...row,
		path: placedPath(place, path),
		place,
		cwd: atHome(cwd, homes),
		...(parentSession !== undefined && { parentSession: placed(parentSession) }),
		...(run && { run: { ...run, parent: placed(run.parent) } }),
	};
}

/** A directory of a place, as it would be called here if it is in the home there. */
export function atHome(cwd: string, homes: Homes | undefined): string {
	return (homes && directoryHere(cwd, homes)) ?? cwd;
}

/**
 * The directory here that stands for one of another machine: the same path, with the home directory here instead of the one there.
 * Whether it exists is not checked. Undefined for anything but a plain absolute path, and for one of another system outside of that home.
 */
export function directoryHere(cwd: string, { there, here }: Homes): string | undefined {
	const [directory, home] = [cwd, there].map(plainDirectory);
	if (directory === undefined) return undefined;
	// "/" is the home of a service: everything would be in it.
	const hasHome = home !== undefined && home !== rulesOf(home).dirname(home);
	const way = hasHome ? wayInto(home, directory) : undefined;
	if (way !== undefined) return join(here, ...way.split(rulesOf(directory).sep));
	return isOfThisSystem(directory) ? directory : undefined;
}

/** An absolute path without separators at its end; undefined for one that says more than its names, such as "/home/ada/../bob". */
export function plainDirectory(path: string): string | undefined {
	const ended = path.replace(/(?<=.)[/\\]+$/, "");
	const { isAbsolute, normalize } = rulesOf(ended);
	return isAbsolute(ended) && normalize(ended) === ended && !ended.includes("\0") ? ended : undefined;
}

/** A session that may be in several places. */
export interface SessionOnce {
	/** The row of this machine, else the longest. */
	readonly row: SessionRow;
	/** The names of the other places that have it. */
	readonly alsoIn: readonly string[];
}

/**
 * The sessions of several places, each once, by path. Those of one place stay as they are, also those with the same id. Of two that are
 * equal it is that of the place whose name comes first.
 */
export function eachOnce(rows: readonly SessionRow[]): ReadonlyMap<string, SessionOnce> {
	const byId = new Map<string, SessionRow>();
	const repeated = new Map<string, SessionRow[]>();
	for (const row of rows) {
		const same = row.id === "" ? undefined : byId.get(row.id);
		const group = repeated.get(row.id);
		if (same === undefined) byId.set(row.id, row);
		else if (group === undefined) repeated.set(row.id, [same, row]);
		else group.push(row);
	}
	const sessions = new Map<string, SessionOnce>();
	for (const row of rows) if (!repeated.has(row.id)) sessions.set(row.path, { row, alsoIn: [] });
	for (const session of [...repeated.values()].flatMap(onceOf)) sessions.set(session.row.path, session);
	return sessions;
}

/** The same for the sessions of one id. */
function onceOf(same: readonly SessionRow[]): SessionOnce[] {
	const places = new Set(same.map(({ place }) => place));
	const [best] = same.toSorted(
		(a, b) =>
			Number(a.place !== undefined) - Number(b.place !== undefined) ||
			b.size - a.size ||
			// A mirror is as long as its original, and the order of answers must not decide.
			((a.place ?? "") < (b.place ?? "") ? -1 : 1),
	);
	places.delete(best?.place);
	const alsoIn = [...places].map((place) => place ?? HERE);
	return same.filter(({ place }) => place === best?.place).map((row) => ({ row, alsoIn }));
}

/** The results of a search in a place, under local names. `rows`: the known sessions of the place, by their paths there. */
export function placedEvent(event: SearchEvent, name: string, rows: ReadonlyMap<string, unknown>): SearchEvent {
	const placed = (path: string): string => placedPath(name, path);
	if (event.type === "lost") return { ...event, paths: event.paths.map(placed) };
	if (event.type === "unread")
		return { ...event, reasons: new Map([...event.reasons].map(([path, reason]) => [placed(path), reason])) };
	if (event.type !== "results") return event;
	// Their number is bounded by that of the rows, which come first.
	const listedResults = event.results.filter(({ path }) => rows.has(path));
	return { ...event, results: listedResults.map((one) => ({ ...one, path: placed(one.path) })) };
}
