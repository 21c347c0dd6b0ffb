import type { SessionEntry } from "../../store/format/schema.ts";
import type { Binding } from "../model/binding.ts";
import { type State, TREE_FILTERS, type TreeFilter } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { editedText } from "../text/edit.ts";
import { span } from "../text/span.ts";
import { shownSession } from "../tree/select-tree.ts";
import { foldOrUp, unfoldOrDown } from "../update/fold-branch.ts";
import { openOverlay } from "../update/overlay.ts";
import { change, type Key, onEntry } from "./handlers.ts";

const TREE = ["tree"] as const;
const TREE_AND_READER = ["tree", "reader"] as const;

// Keys that cannot be typed, since letters are text here. A second key is for terminals that take the first one for
// themselves: Alt types special characters on a Mac, where Option with an arrow is alt+b or alt+f, and screen keeps ctrl+a.
// biome-ignore format: a table
export const TREE_KEYS: readonly Key[] = [
	{ id: "label", keys: ["alt+l", "f2"], contexts: [...TREE_AND_READER, "branches"], short: "label", pi: "app.tree.editLabel",
		help: "label the entry; an empty label clears", ...onEntry("label", askForLabel) },
	{ id: "label-times", keys: ["alt+t", "f4"], contexts: TREE, pi: "app.tree.toggleLabelTimestamp",
		help: "show when labels were set", run: change(toggleLabelTimes) },
	{ id: "fold", keys: ["alt+left", "ctrl+left", "alt+b"], contexts: TREE, pi: "app.tree.foldOrUp",
		help: "fold the branch, or go to its start", acts: "entry", run: change(foldOrUp) },
	{ id: "unfold", keys: ["alt+right", "ctrl+right", "alt+f"], contexts: TREE, pi: "app.tree.unfoldOrDown",
		help: "unfold the branch, or go to the next branch point or the end", acts: "entry",
		run: change(unfoldOrDown) },
	{ id: "filter-next", keys: ["ctrl+o"], contexts: TREE, short: "filter", pi: "app.tree.filter.cycleForward",
		help: "next filter: default, no tools, user only, labeled only, all", run: cycleFilter(1) },
	{ id: "filter-previous", keys: ["alt+o", "ctrl+shift+o"], contexts: TREE, pi: "app.tree.filter.cycleBackward",
		help: "previous filter", run: cycleFilter(-1) },
	{ id: "filter-default", keys: ["ctrl+d"], contexts: TREE, pi: "app.tree.filter.default",
		help: "the default filter", run: change((state) => filterBy(state, "default")) },
	{ id: "filter-no-tools", keys: ["ctrl+t"], contexts: TREE, pi: "app.tree.filter.noTools",
		help: "without tool results, or the default", run: toggleFilter("no-tools") },
	{ id: "filter-user", keys: ["ctrl+u"], contexts: TREE, pi: "app.tree.filter.userOnly",
		help: "only what the user said, or the default", run: toggleFilter("user-only") },
	{ id: "filter-labeled", keys: ["ctrl+l"], contexts: TREE, pi: "app.tree.filter.labeledOnly",
		help: "only labeled entries, or the default", run: toggleFilter("labeled-only") },
	{ id: "filter-all", keys: ["ctrl+a", "alt+a"], contexts: TREE, pi: "app.tree.filter.all",
		help: "every entry, or the default", run: toggleFilter("all") },
];

function askForLabel(state: State, entry: SessionEntry): Transition {
	const session = shownSession(state.detail);
	if (session === undefined) return transition(state);
	return transition(
		openOverlay(state, {
			kind: "prompt",
			title: "Label entry",
			body: [[span("Empty removes the label.", "muted")]],
			value: editedText(session.tree.labels.get(entry.id)?.text ?? ""),
			submit: { type: "label", path: session.path, entryId: entry.id },
		}),
	);
}

function toggleLabelTimes(state: State): State {
	return { ...state, tree: { ...state.tree, labelTimes: !state.tree.labelTimes } };
}

function cycleFilter(by: 1 | -1): Binding["run"] {
	return change((state) => {
		const index = TREE_FILTERS.indexOf(state.tree.filter) + by + TREE_FILTERS.length;
		return filterBy(state, TREE_FILTERS[index % TREE_FILTERS.length] ?? "default");
	});
}

function toggleFilter(filter: TreeFilter): Binding["run"] {
	return change((state) => filterBy(state, state.tree.filter === filter ? "default" : filter));
}

/** A new filter unfolds all, as in pi, so that nothing it lets through stays hidden. */
function filterBy(state: State, filter: TreeFilter): State {
	return { ...state, tree: { ...state.tree, filter, folded: new Set() } };
}
