import { homedir } from "node:os";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import { HERE, type SessionRow } from "../../catalog/model/row.ts";
import { belowTest, runsIn } from "../../catalog/model/session-links.ts";
import { defaultCacheDir, defaultStateDir } from "../../catalog/model/session-roots.ts";
import { PlaceConnection } from "../../catalog/places/connection.ts";
import { type Place, placedPath } from "../../catalog/places/place.ts";
import { PlaceError } from "../../catalog/places/place-error.ts";
import { listPlace } from "../../catalog/places/place-sessions.ts";
import { eachOnce, rowOfPlace } from "../../catalog/places/placed-rows.ts";
import { placesPath, readPlaces } from "../../catalog/places/places-file.ts";
import { dollarsOfFamilies } from "../../catalog/stats/family-cost.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Given } from "../arguments/arguments.ts";
import { enumerate, type Mistake, note, withProgressNote } from "../print/output.ts";
import { type ListedRows, listCountedRows, listRows, listRowsAsKnown } from "./listed-rows.ts";
import { leftOut, type NewestRows } from "./newest-rows.ts";
import { rowFilter } from "./row-filter.ts";

/** The places in the person's file; what is wrong with it is said on stderr. */
export function knownPlaces(): readonly Place[] {
	const { places, problems } = readPlaces(placesPath(process.env, homedir()), homedir());
	for (const problem of problems) note(problem);
	return places;
}

/** This machine, as one of the places. */
const LOCAL = { kind: "here", name: HERE } as const;
export type Chosen = Place | typeof LOCAL;

/** The places that `--place` names. */
function chosenPlaces(name: string): readonly Chosen[] | Mistake {
	if (name === HERE) return [LOCAL];
	const places = knownPlaces();
	if (name === "all") return [LOCAL, ...places];
	const place = places.find((one) => one.name === name);
	if (place !== undefined) return [place];
	const names = places.map((one) => one.name);
	const known = names.length === 0 ? "none is known: see pi-grove places --help" : `known are ${enumerate(names)}`;
	return { mistake: `there is no place ${name}; ${known}` };
}

/** Connects to a place. Rejects with a `PlaceError`. */
export function openPlace(place: Place): Promise<PlaceConnection> {
	const home = homedir();
	const directories = { cacheDir: defaultCacheDir(process.env, home), stateDir: defaultStateDir(process.env, home) };
	return PlaceConnection.open(place, { home, ...directories });
}

/** Connects to a place for some work, and closes the connection afterwards. Rejects with a `PlaceError`. */
export async function withPlace<Result>(
	place: Place,
	work: (connection: PlaceConnection) => Promise<Result>,
): Promise<Result> {
	const connection = await openPlace(place);
	try {
		return await work(connection);
	} finally {
		await connection.close();
	}
}

/** What was found in places, and why some of them could not be asked. */
export interface FoundInEach<Result> {
	readonly found: readonly Result[];
	readonly problems: readonly CatalogProblem[];
}

/** What some work finds in each of these, all at once; a place that cannot be asked is a problem. Says for which ones it waits. */
export async function each<One extends { readonly name: string }, Result>(
	all: readonly One[],
	work: (one: One) => Promise<Result>,
): Promise<FoundInEach<Result>> {
	const problems: CatalogProblem[] = [];
	const waiting = new Set(all.map(({ name }) => name));
	const asking = all.map(async (one): Promise<readonly Result[]> => {
		try {
			return [await work(one)];
		} catch (error) {
			if (!(error instanceof PlaceError)) throw error;
			problems.push({ path: one.name, message: sanitizeLine(error.message) });
			return [];
		} finally {
			waiting.delete(one.name);
		}
	});
	const found = (await withProgressNote(Promise.all(asking), () => waitingNote(waiting))).flat();
	return { found, problems };
}

/** Names of places in a note, at most. */
const MOST_NAMED = 3;

/** "Waiting for mini and old …" */
function waitingNote(waiting: ReadonlySet<string>): string {
	const named = [...waiting].slice(0, MOST_NAMED).map((name) => (name === HERE ? "this machine" : name));
	const more = waiting.size - named.length;
	return `Waiting for ${enumerate(more === 0 ? named : [...named, formatCounted(more, "other")])} …`;
}

/** The same in each place that `--place` names; a single one that cannot be asked is a mistake. */
export async function inEach<Result>(
	given: Given,
	work: (place: Chosen) => Promise<Result>,
): Promise<FoundInEach<Result> | Mistake> {
	const places = chosenPlaces(given.place ?? HERE);
	if ("mistake" in places) return places;
	const answer = await each(places, work);
	const [only] = answer.problems;
	return places.length === 1 && only !== undefined ? { mistake: only.message } : answer;
}

/** Home directories by place, for shortening paths. */
type Homes = ReadonlyMap<string | undefined, string>;

/** The rows of one place, as `list` wants them. */
interface RowsOfPlace extends ListedRows {
	readonly place: string | undefined;
	readonly home: string;
}

/** Lists the sessions of the places that `--place` names, newest activity first. */
export async function listPlaces(given: Given): Promise<(NewestRows & { readonly homes: Homes }) | Mistake> {
	const isCounted = given.counted === true || (given.runs === true && given.json !== true);
	const answer = await inEach(given, (place) => rowsOfPlace(place, given, isCounted));
	if ("mistake" in answer) return answer;
	const { found, problems } = answer;
	const all = eachOnce(found.flatMap(({ rows }) => rows)).toSorted(
		(a, b) => b.modified.getTime() - a.modified.getTime(),
	);
	const isBelow = (row: SessionRow) => found.some((one) => one.place === row.place && one.isBelow(row));
	const runsByParent = runsIn(all);
	const counts = isCounted ? new Map(found.flatMap((one) => [...(one.counts ?? [])])) : undefined;
	const sessions = given.runs ? all : all.filter((row) => !isBelow(row));
	const here = sessions.filter((row) => (row.archived ?? false) === (given.archived ?? false));
	return {
		rows: here.slice(0, given.limit),
		listed: here.map((row) => ({ damaged: isDamaged(row.diagnostics), isRun: isBelow(row) })),
		...leftOut(all, sessions, here),
		...(counts && { counts, familyCosts: dollarsOfFamilies(counts, runsByParent), runsByParent }),
		problems: [...problems, ...found.flatMap((one) => one.problems)],
		homes: new Map(found.map(({ place, home }) => [place, home])),
	};
}

async function rowsOfPlace(place: Chosen, given: Given, counted: boolean): Promise<RowsOfPlace> {
	if (place.kind === "here") {
		const listed = await (counted ? listCountedRows(given) : given.json ? listRowsAsKnown(given) : listRows(given));
		return { ...listed, place: undefined, home: homedir() };
	}
	return withPlace(place, async (connection) => {
		const { rows, counts, problems } = await listPlace(connection, { counted });
		const placed = [...rows.values()].map((row) => rowOfPlace(row, place.name));
		const isBelow = belowTest(new Map(placed.map(({ path, run }) => [path, run])));
		return {
			rows: placed.filter(rowFilter(given, Date.now())),
			isBelow: ({ path }) => isBelow(path),
			counts: new Map([...counts].map(([path, one]): [string, SessionCounts] => [placedPath(place.name, path), one])),
			problems: problems.map((message) => ({ path: place.name, message: sanitizeLine(message) })),
			place: place.name,
			home: connection.hello.home,
		};
	});
}
