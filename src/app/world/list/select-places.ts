import type { PlaceState } from "../../../catalog/model/event.ts";
import { layoutFor } from "../screen/layout.ts";
import type { State } from "../state/state.ts";
import { isEverywhere } from "./catalog-rows.ts";

/** Most rows above the list for failed places, and the height of the list from which more than one is used. */
const MOST_ROWS = 3;
const LEAST_HEIGHT = 12;
/** Most names of places that have not answered yet. */
const MOST_ASKED = 3;

const NONE: readonly PlaceState[] = [];

/** The places that have failed, or cannot search, while the list is about all places. */
export function failedPlaces({ catalog }: State): readonly PlaceState[] {
	return isEverywhere(catalog) ? catalog.places.filter(({ reason }) => reason !== undefined) : NONE;
}

/** The first places that have not answered yet, while the list is about all places: "mini, rack, attic"; "" if there are none. */
export function askedText({ catalog }: State): string {
	if (!isEverywhere(catalog)) return "";
	const names = catalog.places.filter(({ phase }) => phase === "asking").map(({ name }) => name);
	return names.slice(0, MOST_ASKED).join(", ");
}

export function stalePlaces({ catalog }: State): ReadonlySet<string> {
	return new Set(catalog.places.filter(({ asOfMs }) => asOfMs !== undefined).map(({ name }) => name));
}

export function placesHeight(state: State): number {
	const height = layoutFor(state).list?.height ?? 0;
	return Math.min(failedPlaces(state).length, height < LEAST_HEIGHT ? 1 : MOST_ROWS);
}
