import { homedir } from "node:os";
import { createPrivateDirectory } from "../../app/world/effects/temporary-directory.ts";
import { openCatalog } from "../../catalog/catalog.ts";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import { HERE, type SessionRow } from "../../catalog/model/row.ts";
import { defaultCacheDir, defaultStateDir, findSessionRoots } from "../../catalog/model/session-roots.ts";
import { AllPlaces } from "../../catalog/places/all-places.ts";
import { PlaceError, type SessionsPlace } from "../../catalog/places/place.ts";
import { placesPath, readPlaces } from "../../catalog/places/places-file.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { enumerate, Mistake, note, orMistake, withProgressNote } from "../print/output.ts";

/** The places in the person's file; what is wrong with it is said on stderr. */
export function knownPlaces(): readonly SessionsPlace[] {
	const { places, problems } = readPlaces(placesPath(process.env, homedir()), homedir());
	for (const problem of problems) note(problem);
	return places;
}

/** Some places, and perhaps this machine, listed for a command: the catalog that the browser has, and what it has told. */
export class OpenPlaces {
	readonly catalog: AllPlaces;
	/** By path, each session once. */
	readonly rows = new Map<string, SessionRow>();
	readonly counts = new Map<string, SessionCounts>();
	#problems: readonly CatalogProblem[] = [];

	constructor(catalog: AllPlaces) {
		this.catalog = catalog;
		catalog.start((event) => {
			if (event.type === "rows") for (const row of event.rows) this.rows.set(row.path, row);
			else if (event.type === "gone") for (const path of event.paths) this.rows.delete(path);
			else if (event.type === "counts") for (const [path, one] of event.counts) this.counts.set(path, one);
			else if (event.type === "problems") this.#problems = event.problems;
		});
		catalog.reach(true);
	}

	/** Why some of them cannot be asked. */
	get failures(): readonly CatalogProblem[] {
		return this.catalog.states.flatMap(({ name, reason }) =>
			reason === undefined ? [] : [{ path: name, message: sanitizeLine(reason) }],
		);
	}

	/** These, and what they say themselves, such as directories that could not be read. */
	get problems(): readonly CatalogProblem[] {
		return [...this.failures, ...this.#problems];
	}

	/** "Waiting for mini and old …" */
	waitingNote(): string {
		const waiting = this.catalog.states.filter(({ phase }) => phase === "asking").map(({ name }) => name);
		const named = waiting.length === 0 ? ["this machine"] : waiting.slice(0, MOST_NAMED);
		const more = waiting.slice(MOST_NAMED).length;
		return `Waiting for ${enumerate(more === 0 ? named : [...named, formatCounted(more, "other")])} …`;
	}
}

const MOST_NAMED = 3;

/** Lists places for some work, and closes them afterwards. Rejects with a `Mistake` if a single one cannot be asked. `here`: also this machine. */
export async function withPlaces<Result>(
	places: readonly SessionsPlace[],
	work: (open: OpenPlaces) => Promise<Result>,
	here?: Arguments,
): Promise<Result> {
	const [env, home] = [process.env, homedir()];
	const directories = { home, cacheDir: defaultCacheDir(env, home), stateDir: defaultStateDir(env, home) };
	const catalogHere = async () => {
		const sessionRoots = await findSessionRoots({ sessionDir: here?.sessionDir });
		return openCatalog({ sessionRoots, ...directories, watch: false, processes: false, blocking: true });
	};
	const readChosen = () => ({ places, problems: [] });
	const options = { ...directories, isBrowsed: false, createDirectory: createPrivateDirectory, readPlaces: readChosen };
	const catalog = new AllPlaces(here && (await catalogHere()), options);
	try {
		const open = new OpenPlaces(catalog);
		const requireOnly = (): void => {
			const [failure] = open.failures;
			if (places.length === 1 && here === undefined && failure) throw new Mistake(failure.message);
		};
		await orMistake(
			withProgressNote(catalog.listed(), () => open.waitingNote()),
			PlaceError,
		);
		requireOnly();
		const result = await orMistake(work(open), PlaceError);
		requireOnly();
		return result;
	} finally {
		await catalog.close();
	}
}

/** The same for the places that `--place` names: "all" is this machine and all others. */
export async function withChosenPlaces<Result>(
	args: Arguments,
	work: (open: OpenPlaces, places: number) => Promise<Result>,
): Promise<Result> {
	const { place: name = HERE } = args;
	const all = name === HERE ? [] : knownPlaces();
	const places = name === "all" ? all : all.filter((place) => place.name === name);
	const isHere = name === HERE || name === "all";
	if (isHere || places.length > 0)
		return withPlaces(places, (open) => work(open, places.length + (isHere ? 1 : 0)), isHere ? args : undefined);
	const knownNote =
		all.length === 0
			? "none is known: see pi-grove places --help"
			: `known are ${enumerate(all.map((place) => place.name))}`;
	throw new Mistake(`there is no place ${name}; ${knownNote}`);
}
