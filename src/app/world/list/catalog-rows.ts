import type { SessionRow } from "../../../catalog/model/row.ts";
import { asksForPlaces } from "../../../catalog/query/conditions.ts";
import { withEntries } from "../../../shared/maps.ts";
import type { CatalogState } from "../state/catalog-state.ts";
import { type State, type Transition, transition } from "../state/state.ts";
import { searchOf } from "./list-search.ts";

type CatalogRows = Pick<CatalogState, "rows" | "here" | "elsewhere">;

/** The rows with some replaced, and without others. */
export function withRows(catalog: CatalogRows, rows: readonly SessionRow[], gone: readonly string[] = []): CatalogRows {
	const ownRows = rows.filter(({ place }) => place === undefined);
	const here = changed(catalog.here, ownRows, gone);
	const isOfPlaces = ownRows.length < rows.length || gone.some((path) => catalog.elsewhere.has(path));
	const placed = rows.filter(({ place }) => place !== undefined);
	return {
		rows: isEverywhere(catalog) ? changed(catalog.rows, rows, gone) : here,
		here,
		elsewhere: isOfPlaces ? changed(catalog.elsewhere, placed, gone) : catalog.elsewhere,
	};
}

function changed(
	rows: ReadonlyMap<string, SessionRow>,
	replaced: readonly SessionRow[],
	gone: readonly string[],
): ReadonlyMap<string, SessionRow> {
	if (replaced.length + gone.length === 0) return rows;
	return withEntries(
		rows,
		replaced.map((row) => [row.path, row]),
		gone,
	);
}

/** Whether the list is about the sessions of all places. */
export function isEverywhere({ rows, here }: Pick<CatalogState, "rows" | "here">): boolean {
	return rows !== here;
}

/** Whether the list includes other places: because of its scope, or of its query. */
function wantsEverywhere(state: State): boolean {
	const { catalog, list } = state;
	const { scope, scopeBefore } = list;
	if (catalog.places.length === 0 && catalog.elsewhere.size === 0) return false;
	if (scope === "everywhere" || (scope === "project" && scopeBefore === "everywhere")) return true;
	return asksForPlaces(searchOf(state).requested.conditions);
}

/** Adds the sessions of other places to the list, or removes them, depending on the scope and the query. */
export function reconcileRows(state: State): Transition {
	const { catalog } = state;
	const isWanted = wantsEverywhere(state);
	if (isWanted === isEverywhere(catalog)) return transition(state);
	const { here, elsewhere } = catalog;
	const rows = isWanted ? withEntries(here, elsewhere) : here;
	return transition({ ...state, catalog: { ...catalog, rows } }, { type: "reach-places", isWanted });
}
