import { placeOf, shortPath } from "../../../conversation/entries/place.ts";
import { callOf } from "../../../conversation/entries/tool-call.ts";
import { ROW_DETAILS } from "../../../conversation/tree/draw-marks.ts";
import { TO_DIGEST_ENTRY } from "../../../conversation/tree/draw-row.ts";
import { TREE_FILTERS, type TreeFilter } from "../../../conversation/tree/shown-entries.ts";
import { DIGEST_KEY } from "../../../conversation/tree/tree-rows.ts";
import { fieldsOf, pathArgument } from "../../../store/format/fields.ts";
import { change, isPicking, type Key, onSelected } from "../../world/keys/key.ts";
import { inAll, typeQuery } from "../../world/list/list-actions.ts";
import { partFor } from "../../world/list/projects.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { DRAWING, selectedTreeIndex, selectTree } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { focusOn } from "../../world/screen/layout.ts";
import type { Binding } from "../../world/state/binding.ts";
import { openOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import {
	foldOrUp,
	goFromDigest,
	isUnfolded,
	type JumpTarget,
	jump,
	partUnderCursor,
	toggleAllBranches,
	toggleBranch,
	unfoldOrDown,
	whyNoBranch,
} from "./tree-cursor.ts";
import { filterBy, filterMenu } from "./tree-settings.ts";

const TREE = ["tree"] as const;

const onEntryFile = {
	acts: "entry",
	...onSelected(fileUnderCursor, "This entry names no file", listFile),
} as const;

// biome-ignore format: a table
export const TREE_KEYS: readonly Key[] = [
	{ id: "details", name: "Details at the end of rows", synonyms: "outcome, time", keys: [], contexts: TREE,
		help: "show at the end of rows the outcome, the outcome and the time, or only labels", run: change(nextDetails) },
	{ id: "previous-prompt", keys: ["alt+up"], contexts: TREE, help: "to the previous prompt", ...goTo("prompt", -1) },
	{ id: "next-prompt", keys: ["alt+down"], contexts: TREE, short: "prompts", help: "to the next prompt",
		...goTo("prompt", 1) },
	{ id: "previous-error", keys: ["shift+alt+e"], contexts: TREE,
		help: "to the previous error, from the first to the last", ...goTo("error", -1) },
	{ id: "next-error", keys: ["alt+e"], contexts: TREE,
		help: "to the next error, from the last to the first", ...goTo("error", 1) },
	// Option with an arrow sends alt+b and alt+f.
	{ id: "previous-label", name: "Previous label", synonyms: "jump, bookmark", keys: ["shift+alt+m"], contexts: TREE,
		help: "to the previous label, from the first to the last", ...goTo("label", -1) },
	{ id: "next-label", name: "Next label", synonyms: "jump, bookmark", keys: ["alt+m"], contexts: TREE,
		help: "to the next label, from the last to the first", ...goTo("label", 1) },
	{ id: "previous-branch", keys: [], contexts: TREE, help: "to the previous branch",
		...goTo("fork", -1) },
	{ id: "next-branch", keys: [], contexts: TREE, help: "to the next branch", ...goTo("fork", 1) },
	{ id: "toggle-branch", keys: [], contexts: TREE, when: isOnBranchSign, acts: "entry", short: (state) => (isUnfolded(state) ? "fold" : "unfold"),
		help: "unfold or fold the branch, the digest or the preamble", condition: "on ⊞, ⊟, ▸ and ▾", run: change(toggleBranch) },
	{ id: "toggle-branch", name: "Fold or unfold the branch", synonyms: "expand, collapse", keys: [], contexts: TREE, acts: "entry", needs: whyNoBranch,
		help: "unfold the branch under the cursor, or fold the branch around it", run: change(toggleBranch) },
	{ id: "all-branches", name: "Fold or unfold all branches", synonyms: "expand, collapse", keys: [], contexts: TREE, help: "unfold all branches, or fold them",
		run: change(toggleAllBranches) },
	{ id: "fold", keys: ["alt+left"], contexts: TREE, pi: "app.tree.foldOrUp",
		help: "fold the branch, or go up to its start or to the fork above", acts: "entry", run: change(foldOrUp) },
	{ id: "unfold", keys: ["alt+right"], contexts: TREE, pi: "app.tree.unfoldOrDown",
		help: "unfold the branch, or go down to the next fork or to the end", acts: "entry",
		run: change(unfoldOrDown) },
	{ id: "filter", name: "Show entries…", synonyms: "filter, show, prompts, turns, errors, labels, tools, everything", keys: [], contexts: TREE,
		help: "choose which entries are shown", run: change((state) => openOverlay(state, filterMenu(state, filterBy))) },
	{ id: "same-file", name: "Sessions with this file", synonyms: "same file, path, touched, other sessions, who else", keys: [], contexts: ["tree", "reader"],
		help: "list the sessions in which a tool was given the path of this entry", ...onEntryFile },
	{ id: "filter-next", keys: ["ctrl+o"], contexts: TREE, short: "filter", pi: "app.tree.filter.cycleForward",
		help: "next filter, in the order of their chips", run: cycleFilter(1) },
	{ id: "filter-previous", keys: [], contexts: TREE, pi: "app.tree.filter.cycleBackward",
		help: "previous filter", run: cycleFilter(-1) },
	{ id: "filter-default", keys: ["ctrl+d"], contexts: TREE, pi: "app.tree.filter.default",
		help: "show the active path", run: change((state) => filterBy(state, "default")) },
	{ id: "filter-no-tools", keys: ["ctrl+t"], contexts: TREE, pi: "app.tree.filter.noTools",
		help: "hide tool results, or show the active path", run: toggleFilter("no-tools") },
	{ id: "filter-turns", name: "Only turns", synonyms: "filter, prompts, answers", keys: [], contexts: TREE,
		help: "show only turns, each with its prompt and last answer, or the active path", run: toggleFilter("turns") },
	{ id: "filter-errors", name: "Only errors", synonyms: "filter, failed, ✗", keys: [], contexts: TREE,
		help: "show only failed steps, on all branches, or the active path", run: toggleFilter("errors") },
	{ id: "filter-user-only", keys: ["ctrl+u"], contexts: TREE, pi: "app.tree.filter.userOnly",
		help: "show only your prompts, or the active path", run: toggleFilter("user-only") },
	{ id: "filter-labeled-only", keys: ["ctrl+l"], contexts: TREE, pi: "app.tree.filter.labeledOnly",
		help: "show only labeled entries, or the active path", run: toggleFilter("labeled-only") },
	{ id: "filter-all", keys: ["ctrl+a"], contexts: TREE, pi: "app.tree.filter.all",
		help: "show every entry, or the active path", run: toggleFilter("all") },
];

/** Come before the key that resumes: on a rule, and in the digest, there is no entry to resume from. */
// biome-ignore format: a table
export const RULE_KEYS: readonly Key[] = [
	{ id: "unfold-rule", keys: ["enter"], contexts: TREE, when: isOnRule, acts: "cursor", short: "unfold",
		help: "unfold what was left below the end", condition: "on its rule", run: change(toggleBranch) },
	{ id: TO_DIGEST_ENTRY, keys: ["enter"], contexts: TREE, when: isInDigest, acts: "cursor", short: ({ tree }) => (tree.opened.has(DIGEST_KEY) ? "go there" : "unfold"),
		help: "go to what the row is about; a folded digest is unfolded", condition: "in the digest", run: change(goFromDigest) },
];

/** The path that the step under the cursor was given, relative to the session's directory. */
function fileUnderCursor(state: State): string | undefined {
	const { session } = state.detail;
	const entry = entryUnderCursor(state);
	const path = session && entry && pathArgument(fieldsOf(callOf(entry, session)?.args));
	return path ? shortPath(path, placeOf(session, state.environment.home)) : undefined;
}

function listFile(state: State, path: string): State {
	return typeQuery(inAll(focusOn("list")(state)), `${partFor("file", path)} `);
}

export const TREE_FEATURE: Feature = { on: {}, steps: { panes: [DRAWING] } };

function nextDetails(state: State): State {
	const next = ROW_DETAILS[(ROW_DETAILS.indexOf(state.tree.details) + 1) % ROW_DETAILS.length] ?? "outcome";
	return { ...state, tree: { ...state.tree, details: next } };
}

function goTo(target: JumpTarget, by: 1 | -1): Pick<Binding, "acts" | "run"> {
	return { acts: "cursor", run: change((state) => jump(state, target, by)) };
}

function isInDigest(state: State): boolean {
	return !isPicking(state) && partUnderCursor(state) === DIGEST_KEY;
}

/** Whether the cursor is on the rule of what was left behind. */
function isOnRule(state: State): boolean {
	const tree = selectTree(state);
	return !isPicking(state) && tree?.rows.isRule(selectedTreeIndex(state, tree)) === true;
}

function isOnBranchSign(state: State): boolean {
	const tree = selectTree(state);
	const kind = tree?.rows.kindAt(selectedTreeIndex(state, tree));
	return kind === "folded" || kind === "opened" || kind === "runs" || partUnderCursor(state) !== undefined;
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
