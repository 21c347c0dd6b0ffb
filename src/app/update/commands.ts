import type { CommandId } from "../keys/keymap.ts";
import { sessionTitle } from "../list/draw-row.ts";
import { scopesOf } from "../list/scope.ts";
import { selectedRow } from "../list/select-list.ts";
import type { Scope, State, TreeFilter } from "../model/state.ts";
import { say, type Transition, transition } from "../model/transition.ts";
import {
	deleteAfter,
	deleteBefore,
	deleteToEnd,
	deleteToStart,
	deleteWordBefore,
	editedText,
	moveBack,
	moveForward,
	moveToEnd,
	moveToStart,
} from "../text/edit.ts";
import { entryPlainText } from "../tree/entry-sections.ts";
import { isLeaf } from "../tree/leaf.ts";
import { selectedEntry, shownSession } from "../tree/select-tree.ts";
import { foldOrUp, unfoldOrDown } from "./fold-branch.ts";
import { branchMenu, deleteMenu, resumeMenu, sortMenu } from "./menus.ts";
import { type Distance, move, scrollEntry } from "./move.ts";
import { closeOverlay, moveInOverlay, openOverlay } from "./overlay.ts";
import { goToHit } from "./search-results.ts";
import { submit } from "./submit.ts";
import { edit, editQuery, queryOf } from "./text-input.ts";

/** What each command of the keymap does. */
export const commands: Readonly<Record<CommandId, (state: State) => Transition>> = {
	up: (state) => go(state, { rows: -1 }),
	down: (state) => go(state, { rows: 1 }),
	"page-up": (state) => go(state, { pages: -1 }),
	"page-down": (state) => go(state, { pages: 1 }),
	first: (state) => go(state, { end: "first" }),
	last: (state) => go(state, { end: "last" }),
	"next-pane": (state) => transition({ ...state, focus: state.focus === "list" ? "tree" : "entry" }),
	"previous-pane": (state) => transition(backOnePane(state)),
	"scroll-up": (state) => transition(scrollEntry(state, { rows: -1 })),
	"scroll-down": (state) => transition(scrollEntry(state, { rows: 1 })),

	"open-hit": (state) => transition({ ...state, focus: "tree" }),
	"next-hit": (state) => transition(goToHit(state, 1)),
	"previous-hit": (state) => transition(goToHit(state, -1)),
	resume,
	branch: (state) => withRow(state, (row) => openOverlay(state, branchMenu(state, row, selectedEntry(state)))),
	rename: (state) =>
		withRow(state, (row) =>
			openOverlay(state, {
				kind: "prompt",
				title: "Rename session",
				body: [[{ text: sessionTitle({ ...row, name: undefined }), tone: "muted" }]],
				value: editedText(row.name ?? ""),
				submit: { type: "rename", path: row.path },
			}),
		),
	delete: (state) =>
		withRow(state, (row) =>
			state.catalog.live.has(row.path)
				? say(state, "This session is in use by a running pi, so it is not deleted; leave pi first", "warning")
				: openOverlay(state, deleteMenu(state, row)),
		),
	undo: (state) => transition(state, { type: "undo" }),
	scope: (state) => transition({ ...state, list: { ...state.list, scope: nextScope(state) } }),
	sort: (state) => transition(openOverlay(state, sortMenu(state))),
	named: (state) => transition({ ...state, list: { ...state.list, namedOnly: !state.list.namedOnly } }),
	path: (state) => transition({ ...state, list: { ...state.list, showPath: !state.list.showPath } }),
	"copy-path": (state) => {
		const row = selectedRow(state);
		return row === undefined
			? transition(state)
			: transition(state, { type: "copy", text: row.path, what: "the path" });
	},

	label,
	"label-times": (state) => transition({ ...state, tree: { ...state.tree, labelTimes: !state.tree.labelTimes } }),
	fold: (state) => transition(foldOrUp(state)),
	unfold: (state) => transition(unfoldOrDown(state)),
	"filter-next": (state) => transition(filterBy(state, cycleFilter(state, 1))),
	"filter-previous": (state) => transition(filterBy(state, cycleFilter(state, -1))),
	"filter-no-tools": (state) => transition(toggleFilter(state, "no-tools")),
	"filter-user": (state) => transition(toggleFilter(state, "user-only")),
	"filter-labeled": (state) => transition(toggleFilter(state, "labeled-only")),
	"filter-all": (state) => transition(toggleFilter(state, "all")),
	copy: (state) => {
		const entry = selectedEntry(state);
		const text = entry === undefined ? "" : entryPlainText(entry);
		if (text === "") return transition(say(state, "This entry has no text to copy", "warning"));
		return transition(state, { type: "copy", text, what: "the entry's text" });
	},

	erase: (state) => transition(edit(state, deleteBefore)),
	"erase-word": (state) => transition(edit(state, deleteWordBefore)),
	"erase-all": (state) => transition(edit(state, deleteToStart)),
	"erase-next": (state) => transition(edit(state, deleteAfter)),
	"erase-rest": (state) => transition(edit(state, deleteToEnd)),
	"cursor-back": (state) => transition(edit(state, moveBack)),
	"cursor-forward": (state) => transition(edit(state, moveForward)),
	"cursor-start": (state) => transition(edit(state, moveToStart)),
	"cursor-end": (state) => transition(edit(state, moveToEnd)),

	choose: submit,
	cancel: (state) => transition(closeOverlay(state)),
	back,
	refresh: (state) => transition(state, { type: "refresh" }),
	help: (state) => transition(openOverlay(state, { kind: "help", page: "keys", top: 0 })),
	problems: (state) => transition(openOverlay(state, { kind: "help", page: "problems", top: 0 })),
	stats: (state) =>
		transition(openOverlay(state, { kind: "help", page: "stats", top: 0 }), {
			type: "count",
			rows: [...state.catalog.rows.values()],
		}),
	leave: (state) => transition(state, { type: "leave", outcome: { kind: "quit" } }),
};

const FILTERS: readonly TreeFilter[] = ["default", "no-tools", "user-only", "labeled-only", "all"];

function go(state: State, distance: Distance): Transition {
	return transition(state.overlays.length > 0 ? moveInOverlay(state, distance) : move(state, distance));
}

/** Runs what needs a session under the cursor; does nothing without one. */
function withRow(state: State, use: (row: NonNullable<ReturnType<typeof selectedRow>>) => State): Transition {
	const row = selectedRow(state);
	return transition(row === undefined ? state : use(row));
}

function resume(state: State): Transition {
	const row = selectedRow(state);
	if (row === undefined) return transition(state);
	const request = { path: row.path, cwd: row.cwd || state.environment.cwd };
	const entry = state.focus === "list" ? undefined : selectedEntry(state);
	const session = shownSession(state.detail);
	if (entry !== undefined && session !== undefined && !isLeaf(session, entry.id)) {
		return transition(openOverlay(state, resumeMenu(row, request, entry)));
	}
	return transition(state, { type: "resume", request });
}

function label(state: State): Transition {
	const session = shownSession(state.detail);
	const entry = selectedEntry(state);
	if (session === undefined || entry === undefined) return transition(state);
	return transition(
		openOverlay(state, {
			kind: "prompt",
			title: "Label entry",
			body: [[{ text: "Empty removes the label.", tone: "muted" }]],
			value: editedText(session.tree.labels.get(entry.id)?.text ?? ""),
			submit: { type: "label", path: session.path, entryId: entry.id },
		}),
	);
}

/** Escape: the filter first, then the pane before, then out. */
function back(state: State): Transition {
	if (queryOf(state) !== "") return transition(editQuery(state, () => editedText("")));
	if (state.focus !== "list") return transition(backOnePane(state));
	return commands.leave(state);
}

function backOnePane(state: State): State {
	return { ...state, focus: state.focus === "entry" ? "tree" : "list" };
}

function nextScope({ list, environment }: State): Scope {
	const scopes = scopesOf(environment);
	return scopes[(scopes.indexOf(list.scope) + 1) % scopes.length] ?? "all";
}

function cycleFilter({ tree }: State, by: 1 | -1): TreeFilter {
	return FILTERS[(FILTERS.indexOf(tree.filter) + by + FILTERS.length) % FILTERS.length] ?? "default";
}

function toggleFilter(state: State, filter: TreeFilter): State {
	return filterBy(state, state.tree.filter === filter ? "default" : filter);
}

/** A new filter unfolds all, as in pi: what it shows must be seen. */
function filterBy(state: State, filter: TreeFilter): State {
	return { ...state, tree: { ...state.tree, filter, folded: new Set() } };
}
