import { BRANCHES_KEYS, OPEN_BRANCHES_KEYS } from "../../features/branches/branches-keys.ts";
import { OUTSIDE_KEYS } from "../../features/excerpts/outside-keys.ts";
import { CHIP_KEYS } from "../../features/list/chip-keys.ts";
import { HEADING_KEYS, LIST_KEYS } from "../../features/list/list-keys.ts";
import { SAVED_KEYS, SAVING_KEYS } from "../../features/list/saved-keys.ts";
import { PLACE_KEYS } from "../../features/maintenance/ask-moves.ts";
import { READER_KEYS } from "../../features/reader/reader-keys.ts";
import { RUNS_KEYS } from "../../features/runs/runs-keys.ts";
import { HOST_KEYS } from "../../features/sessions/host-keys.ts";
import { MARKS_KEYS, SEVERAL_KEYS } from "../../features/sessions/marks-keys.ts";
import { LABEL_KEYS, SESSION_KEYS } from "../../features/sessions/session-keys.ts";
import { TOUR_KEYS } from "../../features/tour/tour.ts";
import { TREE_KEYS } from "../../features/tree/tree-keys.ts";
import type { Key } from "../../world/keys/key.ts";
import type { Binding } from "../../world/state/binding.ts";
import { KEYS_OF_PAGES, VIEWS } from "../features/features.ts";
import { PAGE_KEYS } from "../features/page-keys.ts";
import { FILTER_KEYS, TYPING_KEYS } from "./filter-keys.ts";
import { MOVING_KEYS, PANE_KEYS, PROGRAM_KEYS } from "./program-keys.ts";

/** Every key and what it does. Of two bindings that can act, the first gets the key, so keys for typed text come first. */
export const KEYMAP: readonly Binding[] = [
	...inSection("Filter", TYPING_KEYS),
	...inSection("List", SAVING_KEYS),
	...inSection("Moving", [...RUNS_KEYS, ...HEADING_KEYS, ...MOVING_KEYS]),
	...inSection("In pi", HOST_KEYS),
	...inSection("Session", SESSION_KEYS),
	...inSection("Session", MARKS_KEYS),
	...inSection("List", [...LIST_KEYS, ...CHIP_KEYS, ...SEVERAL_KEYS, ...SAVED_KEYS, ...PLACE_KEYS]),
	...inSection("Tree", [...LABEL_KEYS, ...TREE_KEYS]),
	...inSection("Reader", READER_KEYS),
	...inSection("Panes", [...PANE_KEYS, ...OPEN_BRANCHES_KEYS]),
	...inSection("Branches", BRANCHES_KEYS),
	...KEYS_OF_PAGES.flatMap(({ section, keys }) => inSection(section, keys.map(fromAnyView))),
	...inSection("Pages", PAGE_KEYS),
	...inSection("Copy and save", OUTSIDE_KEYS),
	...inSection("Filter", FILTER_KEYS),
	...inSection("Program", [...PROGRAM_KEYS, ...TOUR_KEYS]),
];

/** A view can also be opened from another one, in its place. */
function fromAnyView(key: Key): Key {
	return VIEWS.some(({ command }) => command === key.id)
		? { ...key, contexts: [...key.contexts, ...VIEWS.map(({ kind }) => kind)] }
		: key;
}

function inSection(section: string, keys: readonly Key[]): Binding[] {
	return keys.map((key) => ({ ...key, section }));
}
