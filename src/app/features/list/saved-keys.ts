import { change, type Key } from "../../world/keys/key.ts";
import { commandIn, typedIn } from "../../world/list/select-saved.ts";
import type { Binding } from "../../world/state/binding.ts";
import { type State, transition } from "../../world/state/state.ts";
import {
	askForNewName,
	askForSavedName,
	askToDeleteSaved,
	isBelowSaved,
	leaveSaved,
	moveInSaved,
	runSaved,
	saveTyped,
	toggleSaved,
} from "./saved-actions.ts";

const LIST = ["list"] as const;
/** While the cursor is on a saved query, no key acts on a session. */
const SAVED = ["saved"] as const;

/** Come before the bindings of the same keys for sessions. */
// biome-ignore format: a table
export const SAVING_KEYS: readonly Key[] = [
	{ id: "save-typed", keys: ["enter"], contexts: LIST, when: (state) => commandIn(state)?.kind === "save", short: "save",
		help: "behind a query, :save name saves it", run: saveTyped },
	{ id: "up", keys: ["up", "ctrl+p"], contexts: LIST, when: isBelowSaved, pi: "tui.select.up",
		help: "from the first session to the saved and recent queries", run: change((state) => moveInSaved(state, -1)) },
];

// biome-ignore format: a table
export const SAVED_KEYS: readonly Key[] = [
	{ id: "run-saved", keys: ["enter"], contexts: SAVED, short: "search", pi: "tui.select.confirm",
		help: "search for the saved or recent query", run: change(runSaved) },
	{ id: "up", keys: ["up", "ctrl+p"], contexts: SAVED, pi: "tui.select.up", help: "one row up", ...moves(-1) },
	{ id: "down", keys: ["down", "ctrl+n"], contexts: SAVED, pi: "tui.select.down", help: "one row down", ...moves(1) },
	{ id: "rename-saved", keys: ["ctrl+r"], contexts: SAVED, short: "rename", pi: "app.session.rename",
		help: "rename the saved query; on a recent one: save it under a name", run: askForSavedName },
	{ id: "delete-saved", keys: ["ctrl+d"], contexts: SAVED, short: "delete", pi: "app.session.delete",
		help: "delete the saved query, after asking, or forget the recent one; no session", run: askToDeleteSaved },
	{ id: "back", keys: ["escape"], contexts: SAVED, short: "list", pi: "tui.select.cancel", help: "back to the list",
		run: change(leaveSaved) },
	{ id: "save-query", name: "Save this query…", synonyms: "remember, keep search", keys: [], contexts: LIST, needs: needsQuery, help: "save the query that is typed, under a name",
		run: change(askForNewName) },
	{ id: "show-saved", name: "Saved queries above the list, or not", synonyms: "searches", keys: [], contexts: [...LIST, ...SAVED],
		help: "saved queries above the list, or only with :", run: toggleSaved },
];

function moves(by: 1 | -1): Pick<Binding, "run"> {
	return { run: (state) => transition(moveInSaved(state, by)) };
}

function needsQuery(state: State): string | undefined {
	if (typedIn(state).query === "") return "There is no query to save: type one";
	return state.list.search.mistake?.message;
}
