import { formatCount } from "../../../ui/text/format.ts";
import { hasChips } from "../../world/list/chips.ts";
import { leftByChips } from "../../world/list/list-counts.ts";
import { isSearched, selectList } from "../../world/list/select-list.ts";
import type { State } from "../../world/state/state.ts";

/** Number of sessions, including those whose rows have not arrived from the index yet. */
function countAll(state: State): number {
	return selectList(state).total + notArrived(state);
}

/** "2 of 9": how many of the sessions that the chips leave the list shows; "2+ of 9" while a search may still find more. */
export function shownOfLeft(state: State): string {
	const { rows } = selectList(state);
	const left = leftByChips(state);
	// While nothing is filtered out, the rows still to come will be shown too.
	const toCome = hasChips(state) ? 0 : notArrived(state);
	const shown = rows.length + (rows.length === left ? toCome : 0);
	const more = isSearched(state) || state.list.search.error !== undefined ? "" : "+";
	// A query for archived sessions finds more than what is listed otherwise.
	const all = Math.max(shown, left + toCome);
	return shown === all ? formatCount(all) : `${formatCount(shown)}${more} of ${formatCount(all)}`;
}

/** "9 of 1,204": how many of all sessions the chips leave. */
export function leftOfAll(state: State): string {
	const all = countAll(state);
	const left = hasChips(state) && state.list.scope !== "archived" ? leftByChips(state) : all;
	return left === all ? formatCount(all) : `${formatCount(left)} of ${formatCount(all)}`;
}

/** Whether all sessions have been counted, so that queries about counts find no more. */
export function isCounted({ catalog: { complete, counted, countable } }: State): boolean {
	return complete && countable > 0 && counted === countable;
}

function notArrived(state: State): number {
	const { catalog } = state;
	return catalog.complete ? 0 : Math.max(0, catalog.known - catalog.rows.size);
}
