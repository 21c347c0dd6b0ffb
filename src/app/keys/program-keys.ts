import { damagedRows } from "../list/damaged-rows.ts";
import { PANES } from "../model/binding.ts";
import type { HelpOverlay, State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { editedText } from "../text/edit.ts";
import { backOnePane } from "../update/move.ts";
import { closeOverlay, openOverlay } from "../update/overlay.ts";
import { submit } from "../update/submit.ts";
import { editQuery, queryOf } from "../update/text-input.ts";
import { change, type Key } from "./handlers.ts";

// biome-ignore format: a table
export const PROGRAM_KEYS: readonly Key[] = [
	{ id: "choose", keys: ["enter"], contexts: ["menu"], short: "choose", help: "choose what is highlighted",
		run: submit },
	{ id: "choose", keys: ["enter"], contexts: ["prompt"], short: "save", help: "save what was typed",
		run: submit },
	{ id: "cancel", keys: ["escape", "ctrl+c"], contexts: ["menu", "prompt"], short: "cancel",
		pi: "tui.select.cancel", help: "close without doing anything", run: change(closeOverlay) },
	{ id: "cancel", keys: ["escape", "ctrl+c"], contexts: ["help"], short: "close",
		pi: "tui.select.cancel", help: "close the page", run: change(closeOverlay) },
	{ id: "back", keys: ["escape"], contexts: PANES, help: "clear the filter, then go back a pane, then leave",
		run: back },
	{ id: "refresh", keys: ["ctrl+l"], contexts: ["list"], help: "compare the list with the disk now",
		run: (state) => transition(state, { type: "refresh" }) },
	{ id: "help", keys: ["?"], contexts: PANES, short: "help", when: isQueryEmpty,
		help: "show all keys", run: change(openPage("keys")) },
	{ id: "help", keys: ["ctrl+g"], contexts: PANES, short: "help", when: (state) => !isQueryEmpty(state),
		help: "show all keys, also while a filter is typed", run: change(openPage("keys")) },
	{ id: "stats", keys: ["ctrl+t"], contexts: ["list"], short: "stats",
		help: "what the sessions cost and weigh, by project, model and month", run: openStats },
	{ id: "problems", keys: ["!"], contexts: PANES, short: "problems", when: isQueryEmpty, needs: needsProblems,
		help: "show what is damaged or could not be read, and why", run: change(openPage("problems")) },
	{ id: "leave", keys: ["ctrl+c"], contexts: PANES, help: "leave", run: leave },
];

/** Escape: clears the filter, else goes back a pane, else leaves. */
function back(state: State): Transition {
	if (!isQueryEmpty(state)) return transition(editQuery(state, () => editedText("")));
	return state.focus === "list" ? leave(state) : transition(backOnePane(state));
}

function leave(state: State): Transition {
	return transition(state, { type: "leave", outcome: { kind: "quit" } });
}

function openPage(page: HelpOverlay["page"]): (state: State) => State {
	return (state) => openOverlay(state, { kind: "help", page, top: 0 });
}

function openStats(state: State): Transition {
	return transition(openPage("stats")(state), { type: "count", rows: [...state.catalog.rows.values()] });
}

function isQueryEmpty(state: State): boolean {
	return queryOf(state) === "";
}

function needsProblems({ environment, catalog }: State): string | undefined {
	const count = environment.problems.length + catalog.problems.length + damagedRows(catalog.rows).length;
	return count > 0 ? undefined : "There are no problems to show";
}
