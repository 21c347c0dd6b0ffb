import type { SessionRow } from "../../catalog/model/row.ts";
import { PANES } from "../model/binding.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { openOverlay } from "../update/overlay.ts";
import { completeTag, isTagPrompt, tagPrompt, whyNoCompletion } from "../update/tag-prompt.ts";
import { change, type Key, onSession } from "./handlers.ts";

// biome-ignore format: a table
export const MARKS_KEYS: readonly Key[] = [
	{ id: "pin", keys: ["alt+*", "alt+8"], contexts: PANES,
		help: "pin the session, so that it stands first in the list in every order; again takes that back",
		...onSession("pin", pin, withoutId) },
	{ id: "tags", keys: ["alt+g"], contexts: PANES, short: "tags",
		help: "give the session tags, or take them off", ...onSession("tag", askForTags, withoutId) },
	{ id: "complete-tag", keys: ["tab"], contexts: ["prompt"], short: "complete", when: isTagPrompt, needs: whyNoCompletion,
		help: "complete the tag", run: change(completeTag) },
];

/** Pins those that are not pinned; where all are, takes that back. */
function pin(state: State, row: SessionRow): Transition {
	const rows = [row];
	const on = rows.some(({ id }) => !state.marks.pinned.has(id));
	const changes = rows.map(({ id }) => ({ id, on }));
	return transition(state, { type: "mark", paths: rows.map(({ path }) => path), changes });
}

function askForTags(state: State, row: SessionRow): Transition {
	return transition(openOverlay(state, tagPrompt([row])));
}

/** Marks are kept by id. */
function withoutId(_: State, { id }: SessionRow): string | undefined {
	return id === "" ? "This file has no session id, by which pins and tags are kept" : undefined;
}
