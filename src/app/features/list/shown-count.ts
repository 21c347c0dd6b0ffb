import { formatCount } from "../../../ui/text/format.ts";
import { isSearched, selectList } from "../../world/list/select-list.ts";
import type { State } from "../../world/state/state.ts";

/** Number of sessions, including those whose rows have not arrived from the index yet. */
export function countAll(state: State): number {
	return selectList(state).total + notArrived(state);
}

/** "20 of 1,204": how many sessions the list shows; "20+ of 1,204" while a search may still find more. */
export function shownOfAll(state: State): string {
	const { rows, total } = selectList(state);
	// While nothing is filtered out, the rows still to come will be shown too.
	const shown = rows.length + (rows.length === total ? notArrived(state) : 0);
	const more = isSearched(state) || state.list.search.error !== undefined ? "" : "+";
	const all = countAll(state);
	return shown === all ? formatCount(all) : `${formatCount(shown)}${more} of ${formatCount(all)}`;
}

/** Whether all sessions have been counted, so that queries about counts find no more. */
export function isCounted({ catalog: { complete, counted, countable } }: State): boolean {
	return complete && countable > 0 && counted === countable;
}

function notArrived(state: State): number {
	const { catalog } = state;
	return catalog.complete ? 0 : Math.max(0, catalog.known - catalog.rows.size);
}
