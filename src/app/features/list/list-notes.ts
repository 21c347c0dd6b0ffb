import { needsCounts } from "../../../catalog/query/conditions.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { WRONG, waitingNote } from "../../world/keys/key-hints.ts";
import { isSearched } from "../../world/list/select-list.ts";
import { savedChoices, typedIn } from "../../world/list/select-saved.ts";
import type { State } from "../../world/state/state.ts";
import { isCounted, shownOfLeft } from "./shown-count.ts";

/** Notes after the query of the list: a waiting key, a mistake, progress of the search, or the number of matches. */
export function listNotes(state: State): Line {
	const waiting = waitingNote(state, "list");
	if (waiting !== undefined) return waiting;
	const command = commandNote(state);
	if (command !== undefined) return command;
	const { mistake, error } = state.list.search;
	if (mistake !== undefined) return WRONG;
	if (error !== undefined) return [...WRONG, span(` ${shownOfLeft(state)}`, "muted")];
	const { requested, query, searched, total } = state.list.search;
	if (typedIn(state).query === "") return [];
	if (isSearched(state)) return [span(` ${shownOfLeft(state)}${countingNote(state)}`, "muted")];
	if (query !== requested || searched === 0) return [span(" searching …", "muted")];
	const all = Math.max(total, state.catalog.total);
	return [span(` searched ${formatCount(searched)} of ${formatCount(all)} …`, "muted")];
}

/** Progress of the counts that the query needs. */
function countingNote(state: State): string {
	const { counted, countable } = state.catalog;
	if (!needsCounts(state.list.search.query.conditions) || isCounted(state)) return "";
	return countable === 0 ? ", counting …" : `, counted ${formatCount(counted)} of ${formatCount(countable)} …`;
}

/** What Enter does with a typed command; undefined for a query. */
function commandNote(state: State): Line | undefined {
	const { command, query } = typedIn(state);
	if (command === undefined) return undefined;
	if (command.kind === "open") {
		const count = savedChoices(state).length;
		return [
			span(count === 0 ? " no such saved query" : ` ${formatCounted(count, "saved query", "saved queries")}`, "muted"),
		];
	}
	if (query === "" && state.saved.lastQuery === "") return [span(" no query to save", "warning")];
	return [span(command.name === "" ? " a name, then enter" : " enter saves it", "muted")];
}
