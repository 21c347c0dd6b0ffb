import {
	nameKey,
	nameProblem,
	type ReadSaved,
	type SavedQuery,
	savedOf,
} from "../../../changes/noted/saved-queries.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { nearestRow } from "../../../ui/page/page-rows.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { typeQuery } from "../../world/list/list-actions.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { selectList } from "../../world/list/select-list.ts";
import { chosenSaved, commandIn, enteredSaved, savedChoices, typedIn } from "../../world/list/select-saved.ts";
import { titleRow } from "../../world/screen/menus.ts";
import type { Binding } from "../../world/state/binding.ts";
import type { SavedState } from "../../world/state/list-state.ts";
import { openOverlay, withOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";

const LIST = ["list"] as const;
/** While the cursor is on a saved query, no key acts on a session. */
const SAVED = ["saved"] as const;

/** Come before the bindings of the same keys for sessions. */
// biome-ignore format: a table
export const SAVING_KEYS: readonly Key[] = [
	{ id: "save-typed", keys: ["enter"], contexts: LIST, when: (state) => commandIn(state) !== undefined, short: "save",
		help: "save the query", condition: "after :save NAME at the end of a query", run: saveTyped },
	{ id: "up", keys: ["up", "ctrl+p"], contexts: LIST, when: isBelowSaved, pi: "tui.select.up",
		help: "go up to the saved and recent queries", condition: "on the first session", run: change((state) => moveInSaved(state, -1)) },
];

// biome-ignore format: a table
export const SAVED_KEYS: readonly Key[] = [
	{ id: "run-saved", keys: ["enter"], contexts: SAVED, short: "search", pi: "tui.select.confirm",
		help: "search for the saved or recent query", run: change(runSaved) },
	{ id: "up", keys: ["up", "ctrl+p"], contexts: SAVED, pi: "tui.select.up", help: "one row up", ...moves(-1) },
	{ id: "down", keys: ["down", "ctrl+n"], contexts: SAVED, pi: "tui.select.down", help: "one row down", ...moves(1) },
	{ id: "rename-saved", keys: ["ctrl+r"], contexts: SAVED, short: "rename", pi: "app.session.rename",
		help: "rename the saved query, or name a recent one", run: askForSavedName },
	{ id: "delete-saved", keys: ["ctrl+d"], contexts: SAVED, short: "delete", pi: "app.session.delete",
		help: "delete the saved query, or forget the recent one; no session is deleted", run: deleteSaved },
	{ id: "back", keys: ["escape"], contexts: SAVED, short: "list", pi: "tui.select.cancel", help: "back to the list",
		run: change(leaveSaved) },
	{ id: "save-query", name: "Save this query…", synonyms: "remember, keep search", keys: [], contexts: LIST, needs: needsQuery, help: "save the typed query under a name",
		run: change((state) => askForNameOf(state, queryToSave(state))) },
];

function moves(by: 1 | -1): Pick<Binding, "run"> {
	return { run: (state) => transition(moveInSaved(state, by)) };
}

/** What is typed, else what was typed before the field was cleared. */
function queryToSave(state: State): string {
	return typedIn(state).query || state.saved.lastQuery;
}

function needsQuery(state: State): string | undefined {
	if (queryToSave(state) === "") return "There is no query to save: type one";
	return searchOf(state).mistake?.message;
}

/** Applies the saved queries read from the file; each new problem with it is reported once. */
export function applySavedFile(state: State, read: ReadSaved): State {
	const next = withSaved(state, read);
	const fresh = read.problems.find((problem) => !state.saved.problems.includes(problem));
	return fresh === undefined ? next : say(next, fresh, "warning");
}

/** Keeps the cursor of the saved queries in range. */
export function reconcileSaved(state: State): State {
	const { index } = state.saved;
	const count = savedChoices(state).length;
	const nextIndex = index !== undefined && count > 0 ? Math.min(Math.max(0, index), count - 1) : undefined;
	return nextIndex === index ? state : withSaved(state, { index: nextIndex });
}

/** Moves the cursor among the saved queries; below the last one it enters the list. */
function moveInSaved(state: State, by: 1 | -1): State {
	if (state.saved.index === undefined) return by === -1 ? enteredSaved(state) : state;
	const count = savedChoices(state).length;
	const next = state.saved.index + by;
	return withSaved(state, { index: next >= count ? undefined : Math.max(0, next) });
}

/** Whether "up" leads from the first session to the saved and recent queries. */
function isBelowSaved(state: State): boolean {
	const { items } = selectList(state);
	const isFirst = state.list.index === nearestRow(items, 0, 1);
	return isFirst && state.saved.index === undefined && savedChoices(enteredSaved(state)).length > 0;
}

function runSaved(state: State): State {
	const chosen = chosenSaved(state);
	return chosen === undefined ? state : withSaved(typeQuery(state, chosen.text), { index: undefined });
}

function leaveSaved(state: State): State {
	return withSaved(state, { index: undefined });
}

/** Saves the query before `:save`, or with only `:save`, the last one typed. */
function saveTyped(state: State): Transition {
	const { query, command } = typedIn(state);
	if (command === undefined) return transition(state);
	const [next, effects] = saveAs(state, command.name, query === "" ? state.saved.lastQuery : query);
	// After a warning the text stays, to be corrected.
	return next.message?.tone === "warning" ? [next, effects] : [typeQuery(next, query), effects];
}

/** Replacing one with the same name can be undone. */
function saveAs(state: State, name: string, text: string): Transition {
	const problem = nameProblem(name) ?? whyNotSaved(state, text);
	if (problem !== undefined) return transition(say(state, problem, "warning"));
	const oldQuery = savedOf(state.saved.queries, name);
	if (oldQuery?.text === text && oldQuery.name === name)
		return transition(say(state, `“${name}” is already saved`, "muted"));
	const over = oldQuery === undefined ? "" : `, instead of ${oldQuery.text}`;
	return transition(state, {
		type: "save-query",
		what: `save the query “${name}”${over}`,
		done: `Saved “${name}”${over}; type : to find it`,
		changes: [{ name, text }],
	});
}

/** Renames a saved query; never replaces another one. */
function renameSaved(state: State, name: string, to: string): Transition {
	const query = savedOf(state.saved.queries, name);
	if (query === undefined) return transition(say(state, `“${name}” is no longer saved`, "warning"));
	const isTaken = nameKey(to) !== nameKey(name) && savedOf(state.saved.queries, to) !== undefined;
	const problem = isTaken ? `A saved query “${to}” already exists` : nameProblem(to);
	if (problem !== undefined) return transition(say(state, problem, "warning"));
	if (to === query.name) return transition(state);
	return transition(state, {
		type: "save-query",
		what: `rename the saved query “${query.name}” to “${to}”`,
		done: `Renamed “${query.name}” to “${to}”`,
		changes: [
			{ name: query.name, text: null },
			{ name: to, text: query.text },
		],
	});
}

function askForSavedName(state: State): Transition {
	const chosen = chosenSaved(state);
	if (chosen === undefined) return transition(state);
	if (chosen.name === "") return transition(askForNameOf(state, chosen.text));
	return withOverlay(state, {
		kind: "prompt",
		title: "Rename saved query",
		body: [titleRow(sanitizeLine(chosen.text), "muted")],
		value: editedText(chosen.name),
		submit: (now, name) => renameSaved(now, chosen.name, name),
	});
}

function askForNameOf(state: State, query: string): State {
	return openOverlay(state, {
		kind: "prompt",
		title: "Save this query",
		body: [titleRow(sanitizeLine(query), "muted")],
		value: editedText(""),
		submit: (now, name) => saveAs(now, name, query),
	});
}

function deleteSaved(state: State): Transition {
	const chosen = chosenSaved(state);
	if (chosen === undefined) return transition(state);
	return chosen.name === "" ? transition(forgotten(state, chosen.text)) : transition(state, deletion(chosen));
}

/** Forgets a recent query. */
function forgotten(state: State, text: string): State {
	const { settings } = state.list;
	const recent = settings.recent.filter((other) => other !== text);
	return { ...state, list: { ...state.list, settings: { ...settings, recent } } };
}

function deletion({ name }: SavedQuery) {
	return {
		type: "save-query",
		what: `delete the saved query “${name}”`,
		done: `Deleted the saved query “${name}”`,
		changes: [{ name, text: null }],
	} as const;
}

function whyNotSaved(state: State, text: string): string | undefined {
	if (text === "") return "There is no query to save: type one, then :save name";
	const { mistake } = searchOf(state);
	return mistake === undefined ? undefined : `This query is not valid: ${mistake.message}`;
}

function withSaved(state: State, fields: Partial<SavedState>): State {
	return { ...state, saved: { ...state.saved, ...fields } };
}
