import type { CommandId } from "../keys/keymap.ts";
import { sessionTitle } from "../list/draw-row.ts";
import { scopesOf } from "../list/scope.ts";
import { selectedRow } from "../list/select-list.ts";
import type { Scope, State, TreeFilter } from "../model/state.ts";
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
import { choose } from "./choose.ts";
import { foldOrUp, unfoldOrDown } from "./fold.ts";
import { goToHit } from "./found.ts";
import { branchMenu, deleteMenu, resumeMenu, sortMenu } from "./menus.ts";
import { type Distance, move, scrollEntry } from "./move.ts";
import { closeOverlay, moveInOverlay, openOverlay } from "./overlay.ts";
import { type Step, say, step } from "./step.ts";
import { edit, editQuery, queryOf } from "./typing.ts";

/** What each command of the keymap does. */
export const commands: Readonly<Record<CommandId, (state: State) => Step>> = {
	up: (state) => go(state, { rows: -1 }),
	down: (state) => go(state, { rows: 1 }),
	"page-up": (state) => go(state, { pages: -1 }),
	"page-down": (state) => go(state, { pages: 1 }),
	first: (state) => go(state, { end: "first" }),
	last: (state) => go(state, { end: "last" }),
	"next-pane": (state) => step({ ...state, focus: state.focus === "list" ? "tree" : "entry" }),
	"previous-pane": (state) => step(backOnePane(state)),
	"scroll-up": (state) => step(scrollEntry(state, { rows: -1 })),
	"scroll-down": (state) => step(scrollEntry(state, { rows: 1 })),

	"open-hit": (state) => step({ ...state, focus: "tree" }),
	"next-hit": (state) => step(goToHit(state, 1)),
	"previous-hit": (state) => step(goToHit(state, -1)),
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
	undo: (state) => step(state, { type: "undo" }),
	scope: (state) => step({ ...state, list: { ...state.list, scope: nextScope(state) } }),
	sort: (state) => step(openOverlay(state, sortMenu(state))),
	named: (state) => step({ ...state, list: { ...state.list, namedOnly: !state.list.namedOnly } }),
	path: (state) => step({ ...state, list: { ...state.list, showPath: !state.list.showPath } }),
	"copy-path": (state) => {
		const row = selectedRow(state);
		return row === undefined ? step(state) : step(state, { type: "copy", text: row.path, what: "the path" });
	},

	label,
	"label-times": (state) => step({ ...state, tree: { ...state.tree, labelTimes: !state.tree.labelTimes } }),
	fold: (state) => step(foldOrUp(state)),
	unfold: (state) => step(unfoldOrDown(state)),
	"filter-next": (state) => step(filterBy(state, cycleFilter(state, 1))),
	"filter-previous": (state) => step(filterBy(state, cycleFilter(state, -1))),
	"filter-no-tools": (state) => step(toggleFilter(state, "no-tools")),
	"filter-user": (state) => step(toggleFilter(state, "user-only")),
	"filter-labeled": (state) => step(toggleFilter(state, "labeled-only")),
	"filter-all": (state) => step(toggleFilter(state, "all")),
	copy: (state) => {
		const entry = selectedEntry(state);
		const text = entry === undefined ? "" : entryPlainText(entry);
		if (text === "") return step(say(state, "This entry has no text to copy", "warning"));
		return step(state, { type: "copy", text, what: "the entry's text" });
	},

	erase: (state) => step(edit(state, deleteBefore)),
	"erase-word": (state) => step(edit(state, deleteWordBefore)),
	"erase-all": (state) => step(edit(state, deleteToStart)),
	"erase-next": (state) => step(edit(state, deleteAfter)),
	"erase-rest": (state) => step(edit(state, deleteToEnd)),
	"cursor-back": (state) => step(edit(state, moveBack)),
	"cursor-forward": (state) => step(edit(state, moveForward)),
	"cursor-start": (state) => step(edit(state, moveToStart)),
	"cursor-end": (state) => step(edit(state, moveToEnd)),

	choose,
	cancel: (state) => step(closeOverlay(state)),
	back,
	refresh: (state) => step(state, { type: "refresh" }),
	help: (state) => step(openOverlay(state, { kind: "help", page: "keys", top: 0 })),
	problems: (state) => step(openOverlay(state, { kind: "help", page: "problems", top: 0 })),
	stats: (state) =>
		step(openOverlay(state, { kind: "help", page: "stats", top: 0 }), {
			type: "count",
			rows: [...state.catalog.rows.values()],
		}),
	leave: (state) => step(state, { type: "leave", outcome: { kind: "quit" } }),
};

const FILTERS: readonly TreeFilter[] = ["default", "no-tools", "user-only", "labeled-only", "all"];

function go(state: State, distance: Distance): Step {
	return step(state.overlays.length > 0 ? moveInOverlay(state, distance) : move(state, distance));
}

/** Runs what needs a session under the cursor; does nothing without one. */
function withRow(state: State, use: (row: NonNullable<ReturnType<typeof selectedRow>>) => State): Step {
	const row = selectedRow(state);
	return step(row === undefined ? state : use(row));
}

function resume(state: State): Step {
	const row = selectedRow(state);
	if (row === undefined) return step(state);
	const request = { path: row.path, cwd: row.cwd || state.surroundings.cwd };
	const entry = state.focus === "list" ? undefined : selectedEntry(state);
	const session = shownSession(state.opened);
	if (entry !== undefined && session !== undefined && !isLeaf(session, entry.id)) {
		return step(openOverlay(state, resumeMenu(row, request, entry)));
	}
	return step(state, { type: "resume", request });
}

function label(state: State): Step {
	const session = shownSession(state.opened);
	const entry = selectedEntry(state);
	if (session === undefined || entry === undefined) return step(state);
	return step(
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
function back(state: State): Step {
	if (queryOf(state) !== "") return step(editQuery(state, () => editedText("")));
	if (state.focus !== "list") return step(backOnePane(state));
	return commands.leave(state);
}

function backOnePane(state: State): State {
	return { ...state, focus: state.focus === "entry" ? "tree" : "list" };
}

function nextScope({ list, surroundings }: State): Scope {
	const scopes = scopesOf(surroundings);
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
