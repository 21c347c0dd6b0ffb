import { homedir } from "node:os";
import { createPrivateDirectory } from "../../app/world/effects/temporary-directory.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import { HERE } from "../../catalog/model/row.ts";
import { defaultCacheDir, defaultStateDir } from "../../catalog/model/session-roots.ts";
import { type Place, PlaceError } from "../../catalog/places/place.ts";
import { PlacedCatalog } from "../../catalog/places/placed-catalog.ts";
import { placesPath, readPlaces } from "../../catalog/places/places-file.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Given } from "../arguments/arguments.ts";
import { enumerate, type Mistake, note, withProgressNote } from "../print/output.ts";

/** The places in the person's file; what is wrong with it is said on stderr. */
export function knownPlaces(): readonly Place[] {
	const { places, problems } = readPlaces(placesPath(process.env, homedir()), homedir());
	for (const problem of problems) note(problem);
	return places;
}

/** Places that stay open, and are listed once, while several of their sessions are wanted. */
export class OpenPlaces {
	readonly #opened = new Map<string, PlacedCatalog>();

	/** Opens a place and lists it, the first time. Rejects with a `PlaceError`. */
	async open(place: Place): Promise<PlacedCatalog> {
		const [env, home] = [process.env, homedir()];
		const directories = { home, cacheDir: defaultCacheDir(env, home), stateDir: defaultStateDir(env, home) };
		const options = { ...directories, createDirectory: createPrivateDirectory, isBrowsed: false };
		const catalog = this.#opened.get(place.name) ?? new PlacedCatalog(place, options, () => undefined);
		this.#opened.set(place.name, catalog);
		await catalog.reach();
		return catalog;
	}

	async close(): Promise<void> {
		await Promise.all([...this.#opened.values()].map((catalog) => catalog.rest()));
	}
}

/** Opens places for some work, and closes them afterwards; why one cannot be asked is a mistake. */
export async function withOpenPlaces<Result>(work: (places: OpenPlaces) => Promise<Result>): Promise<Result | Mistake> {
	const places = new OpenPlaces();
	try {
		return await orMistake(() => work(places));
	} finally {
		await places.close();
	}
}

/** The result of some work; why a place cannot be asked is a mistake. */
export async function orMistake<Result>(work: () => Promise<Result>): Promise<Result | Mistake> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof PlaceError) return { mistake: sanitizeLine(error.message) };
		throw error;
	}
}

/** This machine, as one of the places that `--place` may name. */
export type Chosen = Place | { readonly kind: "here"; readonly name: typeof HERE };

function chosenPlaces(name: string): readonly Chosen[] | Mistake {
	const here: Chosen = { kind: "here", name: HERE };
	if (name === HERE) return [here];
	const places = knownPlaces();
	if (name === "all") return [here, ...places];
	const place = places.find((one) => one.name === name);
	if (place !== undefined) return [place];
	const names = places.map((one) => one.name);
	const known = names.length === 0 ? "none is known: see pi-grove places --help" : `known are ${enumerate(names)}`;
	return { mistake: `there is no place ${name}; ${known}` };
}

/** What was found in places, and why some of them could not be asked. */
interface FoundInEach<Result> {
	readonly found: readonly Result[];
	readonly problems: readonly CatalogProblem[];
}

/** The same work in each place that `--place` names, all at once; a single one that cannot be asked is a mistake. */
export async function inEach<Result>(
	{ place = HERE }: Given,
	work: (place: Chosen) => Promise<Result>,
): Promise<FoundInEach<Result> | Mistake> {
	const places = chosenPlaces(place);
	if ("mistake" in places) return places;
	const answer = await each(places, work);
	const [only] = answer.problems;
	return places.length === 1 && only !== undefined ? { mistake: only.message } : answer;
}

/** What some work finds in each of these, all at once; a place that cannot be asked is a problem. Says for which ones it waits. */
export async function each<One extends { readonly name: string }, Result>(
	all: readonly One[],
	work: (one: One) => Promise<Result>,
): Promise<FoundInEach<Result>> {
	const problems: CatalogProblem[] = [];
	const waiting = new Set(all.map(({ name }) => name));
	const asking = all.map(async (one): Promise<readonly Result[]> => {
		const result = await orMistake(async () => ({ found: await work(one) }));
		waiting.delete(one.name);
		if ("found" in result) return [result.found];
		problems.push({ path: one.name, message: result.mistake });
		return [];
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
