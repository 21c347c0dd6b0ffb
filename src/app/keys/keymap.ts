import type { Binding, Section } from "../model/binding.ts";
import { BRANCHES_KEYS, OPEN_BRANCHES_KEYS } from "./branches-keys.ts";
import { FILTER_KEYS, TYPING_KEYS } from "./filter-keys.ts";
import type { Key } from "./handlers.ts";
import { HISTORY_KEYS } from "./history-keys.ts";
import { HOST_KEYS } from "./host-keys.ts";
import { HEADING_KEYS, LIST_KEYS } from "./list-keys.ts";
import { MAINTENANCE_KEYS } from "./maintenance-keys.ts";
import { MARKS_KEYS } from "./marks-keys.ts";
import { MOVING_KEYS } from "./moving-keys.ts";
import { OUTSIDE_KEYS } from "./outside-keys.ts";
import { PAGE_KEYS } from "./page-keys.ts";
import { PANE_KEYS } from "./pane-keys.ts";
import { PLACE_KEYS } from "./place-keys.ts";
import { PROGRAM_KEYS } from "./program-keys.ts";
import { READER_KEYS } from "./reader-keys.ts";
import { SAVED_KEYS, SAVING_KEYS } from "./saved-keys.ts";
import { SESSION_KEYS } from "./session-keys.ts";
import { SEVERAL_KEYS } from "./several-keys.ts";
import { STATS_KEYS } from "./stats-keys.ts";
import { TREE_KEYS } from "./tree-keys.ts";
import { USES_KEYS } from "./uses-keys.ts";

/** Every key and what it does. Of two bindings that can act, the first has the key: while something is typed, the text. */
export const KEYMAP: readonly Binding[] = [
	...inSection("Filter", TYPING_KEYS),
	...inSection("List", SAVING_KEYS),
	...inSection("Moving", [...HEADING_KEYS, ...MOVING_KEYS]),
	...inSection("In pi", HOST_KEYS),
	...inSection("Session", SESSION_KEYS),
	...inSection("Session", MARKS_KEYS),
	...inSection("List", [...LIST_KEYS, ...SEVERAL_KEYS, ...SAVED_KEYS, ...PLACE_KEYS]),
	...inSection("Tree", TREE_KEYS),
	...inSection("Reader", READER_KEYS),
	...inSection("Panes", [...PANE_KEYS, ...OPEN_BRANCHES_KEYS]),
	...inSection("Branches", BRANCHES_KEYS),
	...inSection("History", HISTORY_KEYS),
	...inSection("Maintenance", MAINTENANCE_KEYS),
	...inSection("Statistics", STATS_KEYS),
	...inSection("Prompts and commands", USES_KEYS),
	...inSection("Pages", PAGE_KEYS),
	...inSection("Copy and save", OUTSIDE_KEYS),
	...inSection("Filter", FILTER_KEYS),
	...inSection("Program", PROGRAM_KEYS),
];

function inSection(section: Section, keys: readonly Key[]): Binding[] {
	return keys.map((key) => ({ ...key, section }));
}
