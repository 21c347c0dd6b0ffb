import { evidenceOf } from "../../catalog/model/live.ts";
import { needsCounts } from "../../catalog/query/conditions.ts";
import { rewindForms, sessionRewind } from "../../conversation/entries/rewind.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { span } from "../../ui/text/span.ts";
import type { Line } from "../../ui/view.ts";
import { briefUse } from "../guard/describe-use.ts";
import { isSearched, queryProblem } from "../list/select-list.ts";
import { savedChoices, typedIn } from "../list/select-saved.ts";
import type { State } from "../model/state.ts";
import { selectedEntry, selectTree, shownSession } from "../tree/select-tree.ts";
import { keyLabel } from "./footer.ts";
import { isCounted, shownOfAll } from "./shown-count.ts";
import { hitCount } from "./tree-settings.ts";

/** The reason has a row of its own, at the bottom of the screen. */
const WRONG: Line = [span("  ✗", "error")];

/** What is wrong with what is typed in the pane with the focus. */
export function filterProblem(state: State): string | undefined {
	if (state.focus === "list") return queryProblem(state);
	return state.focus === "tree" ? state.tree.mistake : undefined;
}

/** Which key waits for the answer to what was typed before it, if the pane has the focus. */
function waitingNote({ waiting: [first], focus }: State, pane: State["focus"]): Line | undefined {
	if (first === undefined || focus !== pane) return undefined;
	return [span(` ${first.type === "key" ? keyLabel(first.key) : "text"} waits for the answer, esc stops it`, "muted")];
}

/** Behind the list's query: what waits, what is wrong, how far the search is, else how many sessions match. */
export function listNotes(state: State): Line {
	const waiting = waitingNote(state, "list");
	if (waiting !== undefined) return waiting;
	const command = commandNote(state);
	if (command !== undefined) return command;
	const { mistake, error } = state.list.search;
	if (mistake !== undefined) return WRONG;
	if (error !== undefined) return [...WRONG, span(` ${shownOfAll(state)}`, "muted")];
	const { requested, query, searched, total } = state.list.search;
	if (requested.text === "") return [];
	if (isSearched(state)) return [span(` ${shownOfAll(state)}${countingNote(state)}`, "muted")];
	if (query !== requested || searched === 0) return [span(" searching …", "muted")];
	const all = Math.max(total, state.catalog.total);
	return [span(` searched ${formatCount(searched)} of ${formatCount(all)} …`, "muted")];
}

/** How far that is counted which the query asks for. */
function countingNote(state: State): string {
	const { counted, countable } = state.catalog;
	if (!needsCounts(state.list.search.query.conditions) || isCounted(state)) return "";
	return countable === 0 ? ", counting …" : `, counted ${formatCount(counted)} of ${formatCount(countable)} …`;
}

/** What Enter does with what is typed, when that is no query. */
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

/** Behind the tree's filter: what waits, what is wrong, else which hit of the list's search is shown. */
export function treeNotes(state: State): Line {
	const waiting = waitingNote(state, "tree");
	if (waiting !== undefined) return waiting;
	const { drawing, query: typed, mistake } = state.tree;
	if (mistake !== undefined) return WRONG;
	if (typed.text !== "" && drawing?.input !== drawing?.drawn?.input) return [span(" filtering …", "muted")];
	const tree = selectTree(state);
	if (tree?.hits !== undefined) return [span(` ${hitCount(tree)}`, "muted")];
	return hitNote(state);
}

/** Who has the opened session, or that it grows. */
export function noteOfUse({ detail, catalog, now }: State): Line {
	if (detail.status === "none") return [];
	const use = briefUse(evidenceOf(catalog.live, detail.row), now);
	return use === undefined ? [] : [span(` ${use.sign} ${use.words}`, "current")];
}

/** That pi does not go on from the end of the opened session, in `room` cells if it can be; a press asks to mend that. */
export function noteOfRewind(state: State, room: number): Line {
	const session = shownSession(state.detail);
	const rewound = session && sessionRewind(session);
	if (rewound === undefined) return [];
	const { long, short } = rewindForms(rewound);
	const hidden = `${formatCounted(rewound.hidden, "entry", "entries")} hidden`;
	const words = [`pi ${long}, ${hidden}`, `pi ${long}`].find(({ length }) => length + 1 <= room) ?? short;
	return [{ ...span(` ${words}`, "warning"), press: "forward" }];
}

/** Which hit of the list's search the cursor is on. */
export function hitNote(state: State): Line {
	const { hits, selected } = state.tree;
	if (hits === undefined || hits.ids.length === 0) return [];
	const at = hits.ids.indexOf(selected ?? selectedEntry(state)?.id ?? "") + 1;
	const count =
		at === 0 ? formatCounted(hits.ids.length, "hit") : `hit ${formatCount(at)} of ${formatCount(hits.ids.length)}`;
	return [span(`  ${count} for ${hits.query.text}`, "match")];
}
