import { BRANCHES_KEYS, OPEN_BRANCHES_KEYS } from "../../features/branches/branches-keys.ts";
import { COMPARE_BRANCHES_KEYS, COMPARE_SESSIONS_KEYS } from "../../features/branches/compare-keys.ts";
import { OUTSIDE_KEYS } from "../../features/excerpts/outside-keys.ts";
import { CHIP_KEYS } from "../../features/list/chips.ts";
import { HEADING_KEYS, LIST_KEYS } from "../../features/list/list-keys.ts";
import { MARKING_KEYS, REMARK_KEYS } from "../../features/list/marking-keys.ts";
import { SAVED_KEYS, SAVING_KEYS } from "../../features/list/saved-queries.ts";
import { DESTINATION_KEYS } from "../../features/maintenance/destination-keys.ts";
import { PLACES_KEYS } from "../../features/places/places-menu.ts";
import { READER_KEYS } from "../../features/reader/reader-keys.ts";
import { RUNS_KEYS } from "../../features/runs/runs-keys.ts";
import { HAND_OVER_KEYS } from "../../features/sessions/hand-over.ts";
import { HOST_KEYS } from "../../features/sessions/host-keys.ts";
import { MARKS_KEYS, SEVERAL_KEYS } from "../../features/sessions/marks-keys.ts";
import { LABEL_KEYS, SESSION_KEYS } from "../../features/sessions/session-keys.ts";
import { TOUR_KEYS } from "../../features/tour/tour.ts";
import { RULE_KEYS, TREE_KEYS } from "../../features/tree/tree-keys.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { UNDO_KEYS } from "../../world/keys/undo-keys.ts";
import type { Page } from "../../world/page/page.ts";
import { type Binding, commandFor } from "../../world/state/binding.ts";
import { pageOf } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { KEYS_OF_PAGES, MARKED_BY_SPACE, MARKED_PAGES, openedPage, VIEWS } from "../features/features.ts";
import { FILTER_KEYS, TYPING_KEYS } from "./filter-keys.ts";
import { withLetters } from "./letters.ts";
import { MOVING_KEYS, PANE_KEYS, PROGRAM_KEYS } from "./program-keys.ts";

/** The keys that pages have in common; their own keys come first. */
// biome-ignore format: a table
const PAGE_KEYS: readonly Key[] = [
	{ id: "mark", keys: ["ctrl+space", "insert", "shift+down"], contexts: MARKED_BY_SPACE, short: "mark", needs: needsMarkable,
		help: "mark or unmark the row under the cursor; on a heading, its whole group", run: change(markRow) },
	{ id: "mark-all", keys: [], contexts: MARKED_PAGES, needs: needsRow,
		help: "mark all rows; if all are marked, unmark them", run: change((state) => openedPage(state)?.markAll(state) ?? state) },
	{ id: "unmark-rows", keys: ["escape"], contexts: MARKED_PAGES, short: "unmark", pi: "tui.select.cancel",
		when: (state) => state.progress === undefined && hasMarks(state), help: "clear all marks", run: change((state) => openedPage(state)?.unmarkAll(state) ?? state) },
];

const VIEW_KINDS = VIEWS.map(({ kind }) => kind);

// biome-ignore format: a table
const VIEW_KEYS: readonly Key[] = [
	{ id: "next-view", keys: ["tab"], contexts: VIEW_KINDS, short: (state) => viewBeside(state, 1)?.kind ?? "",
		help: "to the next of prompts, statistics, maintenance and history", run: (state) => toView(state, 1) },
	{ id: "previous-view", keys: ["shift+tab"], contexts: VIEW_KINDS, help: "to the previous of them", run: (state) => toView(state, -1) },
];

function viewBeside(state: State, step: 1 | -1): Page | undefined {
	const at = VIEWS.findIndex(({ kind }) => kind === pageOf(state));
	return VIEWS[(at + step + VIEWS.length) % VIEWS.length];
}

/** The view opens as by its command. */
function toView(state: State, step: 1 | -1): Transition {
	return commandFor(state, viewBeside(state, step)?.command ?? "")?.run(state) ?? transition(state);
}

function needsRow(state: State): string | undefined {
	return openedPage(state)?.current(state) === undefined ? "There is nothing to mark" : undefined;
}

/** A heading may have nothing below it. */
function needsMarkable(state: State): string | undefined {
	const page = openedPage(state);
	const keys = page?.marking?.marksOf?.(state, page.current(state)?.key ?? "");
	return needsRow(state) ?? (keys?.length === 0 ? "There is nothing to mark in this row" : undefined);
}

function hasMarks(state: State): boolean {
	const marks = openedPage(state)?.marking?.of(state);
	return marks !== undefined && marks.marked.size > 0;
}

/** Marks or unmarks the row under the cursor and moves to the next one; for a heading, its whole group. */
function markRow(state: State): State {
	const page = openedPage(state);
	const key = page?.current(state)?.key;
	if (page === undefined || key === undefined) return state;
	const isGroup = page.marking?.marksOf?.(state, key).includes(key) === false;
	return isGroup ? page.mark(state) : page.markAndMove(state);
}

/** Every key and what it does. Of two bindings that can act, the first gets the key, so keys for typed text come first. */
export const KEYMAP: readonly Binding[] = [
	...inSection("Filter", TYPING_KEYS),
	...inSection("List", [...SAVING_KEYS, ...COMPARE_SESSIONS_KEYS]),
	...inSection("Changes", REMARK_KEYS),
	...inSection("Moving", [...RUNS_KEYS, ...RULE_KEYS, ...HEADING_KEYS, ...MOVING_KEYS]),
	...inSection("In pi", HOST_KEYS),
	...inSection("Session", [...SESSION_KEYS, ...HAND_OVER_KEYS, ...LABEL_KEYS, ...MARKS_KEYS]),
	...inSection("Changes", UNDO_KEYS),
	...inSection("List", [
		...LIST_KEYS,
		...CHIP_KEYS,
		...MARKING_KEYS,
		...SEVERAL_KEYS,
		...SAVED_KEYS,
		...PLACES_KEYS,
		...DESTINATION_KEYS,
	]),
	...inSection("Reader", READER_KEYS),
	// Before those of the tree, so that its footer always has the branches.
	...inSection("Panes", [...PANE_KEYS, ...OPEN_BRANCHES_KEYS]),
	...inSection("Tree", TREE_KEYS),
	...inSection("Branches", [...COMPARE_BRANCHES_KEYS, ...BRANCHES_KEYS]),
	...KEYS_OF_PAGES.flatMap(({ section, keys }) => inSection(section, keys.map(fromAnyView))),
	...inSection("Pages", [...VIEW_KEYS, ...PAGE_KEYS]),
	...inSection("Copy and save", OUTSIDE_KEYS),
	...inSection("Filter", FILTER_KEYS),
	...inSection("Program", [...PROGRAM_KEYS, ...TOUR_KEYS]),
];

/** A view can also be opened from another one, in its place. */
function fromAnyView(key: Key): Key {
	if (VIEWS.every(({ command }) => command !== key.id)) return key;
	const otherViews = VIEWS.filter(({ command }) => command !== key.id);
	return { ...key, contexts: [...key.contexts, ...otherViews.map(({ kind }) => kind)] };
}

function inSection(section: string, keys: readonly Key[]): Binding[] {
	return keys.flatMap(withLetters).map((key) => ({ ...key, section }));
}
