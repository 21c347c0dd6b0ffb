import { needsCounts } from "../../../catalog/query/conditions.ts";
import { DATE_WORDS } from "../../../catalog/query/dates.ts";
import { shortDate } from "../../../catalog/query/parse-query.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { WRONG, waitingNote } from "../../world/keys/key.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { countWhere, extentOfScope, hasChips } from "../../world/list/scope.ts";
import { isSearched, selectList } from "../../world/list/select-list.ts";
import { typedIn } from "../../world/list/select-saved.ts";
import type { State } from "../../world/state/state.ts";

/** Notes after the query of the list: a waiting key, a mistake, or the progress of the search. */
export function listNotes(state: State): Line {
	const waiting = waitingNote(state, "list");
	if (waiting !== undefined) return waiting;
	const command = commandNote(state);
	if (command !== undefined) return command;
	const { mistake, error } = searchOf(state);
	if (mistake !== undefined || error !== undefined) return WRONG;
	const { requested, query, searched, total } = searchOf(state);
	if (typedIn(state).query === "") return [];
	if (isSearched(state)) return [span(countingNote(state), "muted"), ...dateNote(state)];
	if (query !== requested || searched === 0) return [span(" searching …", "muted")];
	const all = Math.max(total, state.catalog.total);
	return [span(` searched ${formatCount(searched)} of ${formatCount(all)} …`, "muted")];
}

/** "on:today; quotes find the word", for a word that was interpreted as a date; for one that was not, how to ask for the date. */
function dateNote(state: State): Line {
	const { query } = typedIn(state);
	const date = shortDate(query);
	if (date !== undefined) return [span(` ${date.toLowerCase()}`, "accent"), span("; quotes find the word", "muted")];
	const word = query.toLowerCase();
	const isDateWord = DATE_WORDS.some((one) => one === word);
	return isDateWord ? [span(" the day is ", "muted"), span(`on:${word}`, "accent")] : [];
}

function countingNote(state: State): string {
	const { counted, countable } = state.catalog;
	if (!needsCounts(searchOf(state).query.conditions) || isCounted(state)) return "";
	return countable === 0 ? " counting …" : ` counted ${formatCount(counted)} of ${formatCount(countable)} …`;
}

/** What Enter does with a typed command; undefined for a query. */
function commandNote(state: State): Line | undefined {
	const { command, query } = typedIn(state);
	if (command === undefined) return undefined;
	if (query === "" && state.saved.lastQuery === "") return [span(" no query to save", "warning")];
	return [span(command.name === "" ? " type a name, then enter" : " enter saves it", "muted")];
}

/** Number of sessions, including those whose rows have not arrived from the index yet. */
function countAll(state: State): number {
	return selectList(state).total + notArrived(state);
}

/**
 * "9 of 1,204": how many of all sessions the query and the chips leave, in the archive of these and of those that are not archived;
 * "9+ of 1,204" while a search may still find more.
 */
export function listedOfAll(state: State): string {
	const { rows, others, runs } = selectList(state);
	const { inArchive } = extentOfScope(state);
	const all = countAll(state) + (inArchive ? countWhere(state.catalog.rows, false) : 0);
	const isNarrowed = hasChips(state) || typedIn(state).query !== "";
	const listedCount = rows.length - others - runs + (isNarrowed ? 0 : notArrived(state));
	if (listedCount >= all) return formatCount(listedCount);
	const more = isSearched(state) || searchOf(state).error !== undefined ? "" : "+";
	return `${formatCount(listedCount)}${more} of ${formatCount(all)}`;
}

/** Whether all sessions have been counted, so that queries about counts find no more. */
function isCounted({ catalog: { complete, counted, countable } }: State): boolean {
	return complete && countable > 0 && counted === countable;
}

function notArrived(state: State): number {
	const { catalog } = state;
	return catalog.complete ? 0 : Math.max(0, catalog.known - catalog.rows.size);
}
