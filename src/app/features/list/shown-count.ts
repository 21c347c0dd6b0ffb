import { formatCount } from "../../../ui/text/format.ts";
import { isSearched, selectList } from "../../world/list/select-list.ts";
import type { State } from "../../world/state/state.ts";

/** How many sessions there are. While rows of the index are still arriving, all that are known count. */
export function countAll(state: State): number {
	return selectList(state).total + missing(state);
}

/** "20 of 1,204": how many sessions the list shows; with "+" while a search goes on and may find more. */
export function shownOfAll(state: State): string {
	const { rows, total } = selectList(state);
	// Rows that are still arriving are filtered by nothing.
	const shown = rows.length + (rows.length === total ? missing(state) : 0);
	const more = isSearched(state) || state.list.search.error !== undefined ? "" : "+";
	const all = countAll(state);
	return shown === all ? formatCount(all) : `${formatCount(shown)}${more} of ${formatCount(all)}`;
}

/** Whether nothing more can be found by what is counted behind the list. */
export function isCounted({ catalog: { complete, counted, countable } }: State): boolean {
	return complete && countable > 0 && counted === countable;
}

function missing(state: State): number {
	const { catalog } = state;
	return catalog.complete ? 0 : Math.max(0, catalog.known - catalog.rows.size);
}
