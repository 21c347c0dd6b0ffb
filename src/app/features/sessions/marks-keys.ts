import type { SessionRow } from "../../../catalog/model/row.ts";
import { change, type Key, onChosen, onSession } from "../../world/keys/key.ts";
import { chosenRows } from "../../world/list/marked.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { PANES } from "../../world/state/binding.ts";
import { openOverlay } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { archiveOrBringBack } from "./archive-menus.ts";
import { completeTag, isTagPrompt, tagPrompt, whyNoCompletion } from "./tag-prompt.ts";

// biome-ignore format: a table
export const MARKS_KEYS: readonly Key[] = [
	{ id: "pin", name: "Pin, or unpin", synonyms: "star, favorite, keep on top", keys: [], contexts: PANES, isOn: isPinned,
		help: "pin the session to the top of the list, in every order, or unpin it",
		...onSession("pin", pin, withoutIds) },
	{ id: "tags", name: "Tags…", synonyms: "tag, mark, category", keys: [], contexts: PANES, help: "add tags to the session, or remove them",
		...onSession("tag", askForTags, withoutIds) },
	{ id: "archive", name: "Archive, or bring back", synonyms: "hide, put away, unarchive, done", keys: [], contexts: ["list"], isOn: isArchived, help: "move the session to the archive, or bring it back",
		...onChosen("archive", archiveOrBringBack) },
	{ id: "complete-tag", keys: ["tab"], contexts: ["prompt"], short: "complete", when: isTagPrompt, needs: whyNoCompletion,
		help: "complete the tag", run: change(completeTag) },
];

/** The marked sessions of the list, otherwise the session under the cursor. */
function rowsFor(state: State): readonly SessionRow[] {
	if (state.focus === "list") return chosenRows(state);
	const row = selectedRow(state);
	return row === undefined ? [] : [row];
}

/** Without sessions that have no id: pins and tags are stored by id. */
function withIds(state: State): readonly SessionRow[] {
	return rowsFor(state).filter(({ id }) => id !== "");
}

function isPinned(state: State): boolean {
	const rows = withIds(state);
	return rows.length > 0 && rows.every(({ id }) => state.marks.pinned.has(id));
}

function isArchived(state: State): boolean {
	const rows = chosenRows(state);
	return rows.length > 0 && rows.every(({ archived }) => archived === true);
}

/** Pins the sessions, or unpins them if all are pinned. */
function pin(state: State): Transition {
	const rows = withIds(state);
	const on = !isPinned(state);
	const changes = rows.map(({ id }) => ({ id, on }));
	return transition(state, { type: "mark", paths: rows.map(({ path }) => path), changes });
}

function askForTags(state: State): Transition {
	return transition(openOverlay(state, tagPrompt(withIds(state))));
}

/** Called with every key, so several marked sessions are not checked one by one. */
function withoutIds(state: State, row: SessionRow): string | undefined {
	if (state.focus === "list" && state.list.marked.size > 0) return undefined;
	return row.id === "" ? "This file has no session id, which pins and tags need" : undefined;
}
