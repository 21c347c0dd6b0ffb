import type { CountedSessions } from "../model/counts.ts";
import type { CatalogEvent, CatalogProblem, PlaceState } from "../model/event.ts";
import type { SessionRow } from "../model/row.ts";
import type { PlaceCatalog } from "./host-catalog.ts";
import { placedPath, type SessionsPlace } from "./place.ts";
import { type Homes, rowOfPlace } from "./placed-rows.ts";

/** One opening of a place, from connecting to its end, with its rows and events. The next opening begins with its rows. */
export interface Opening {
	readonly place: SessionsPlace;
	/** By the paths there: each row as it is there, and as it is called here. */
	readonly rows: Map<string, { readonly own: SessionRow; readonly placed: SessionRow }>;
	/** Undefined before it is open, and after its end. */
	catalog?: PlaceCatalog | undefined;
	/** Resolves when it is listed, or has ended. */
	listed: Promise<void>;
	state: Pick<PlaceState, "phase" | "asOfMs" | "reason">;
	hello: PlaceCatalog["hello"];
	/** Paths of sessions in use there, under their local names. */
	live: readonly string[];
	problems: readonly CatalogProblem[];
}

/** A new opening, after the last one of the place; without that, the place is not asked yet. */
export function openingOf(place: SessionsPlace, last?: Opening): Opening {
	return {
		...{ place, rows: new Map(last?.rows), hello: last?.hello, live: [], problems: [] },
		state: { phase: last === undefined ? "unasked" : "asking", asOfMs: last?.state.asOfMs },
		listed: Promise.resolve(),
	};
}

export function isConnected({ state: { phase } }: Opening): boolean {
	return phase === "asking" || phase === "listed";
}

export function placeState({ place, catalog, rows, state }: Opening): PlaceState {
	const asOfMs = state.phase === "listed" ? undefined : (state.asOfMs ?? catalog?.keptMs);
	const { name, kind } = place;
	return { name, kind, where: place.kind === "dir" ? place.path : place.host, ...state, asOfMs, count: rows.size };
}

/** Takes what its catalog emits; returns the counts in it, which are not kept, with the paths by which their sessions are called here. */
export function takeEvent(opening: Opening, event: CatalogEvent, homes?: Homes): CountedSessions {
	const { rows } = opening;
	const { name } = opening.place;
	const placed = (path: string): string => placedPath(name, path);
	if (event.type === "rows")
		for (const row of event.rows) rows.set(row.path, { own: row, placed: rowOfPlace(row, name, homes) });
	else if (event.type === "gone") for (const path of event.paths) rows.delete(path);
	else if (event.type === "live") opening.live = [...event.report.sessions.keys()].map(placed);
	else if (event.type === "problems") opening.problems = event.problems.map(({ message }) => ({ path: name, message }));
	return event.type === "counts" ? event.counts.map(([path, one]) => [placed(path), one]) : [];
}
