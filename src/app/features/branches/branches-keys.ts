import type { Branch } from "../../../conversation/branches/branch.ts";
import { BRANCH_SORTS, SORT_NAMES } from "../../../conversation/branches/branch-order.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { type Distance, scrollTo, target } from "../../../ui/page/page-rows.ts";
import { capital } from "../../../ui/text/format.ts";
import { change, type Key, onSelected, onSession } from "../../world/keys/key.ts";
import {
	branchOfEntry,
	GATHERED,
	selectBranches,
	selectBranchNear,
	selectedBranch,
	selectedBranchRow,
	selectShownBranches,
} from "../../world/opened/select-branches.ts";
import { atEntry } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { goToTree } from "../../world/page/way-back.ts";
import { backOnePane, branchesBox } from "../../world/screen/layout.ts";
import { menu } from "../../world/screen/menus.ts";
import type { BranchesState } from "../../world/state/opened-state.ts";
import { type MenuOverlay, openOverlay } from "../../world/state/overlays.ts";
import { type State, transition } from "../../world/state/state.ts";
import { COMPARED } from "./compare-state.ts";
import { DIFFERENCES } from "./difference-page.ts";

const BRANCHES = ["branches"] as const;
// biome-ignore format: a table
export const BRANCHES_KEYS: readonly Key[] = [
	{ id: "read-branch", keys: ["right"], contexts: BRANCHES, short: "read it",
		help: "read the branch from its beginning", ...onBranch(readBranch) },
	{ id: "mark-branch", keys: ["ctrl+space", "insert", "shift+down"], contexts: BRANCHES, short: "mark",
		help: "mark the branch, to compare it", ...onBranch(markBranch) },
	{ id: "order-branches", name: "Order of the branches…", synonyms: "sort", keys: ["ctrl+s"], contexts: BRANCHES, short: "order",
		help: "choose the order: by time, size, cost, or place of the fork", run: change((state) => openOverlay(state, orderMenu(state))) },
	{ id: "previous-pane", keys: ["left", "ctrl+c"], contexts: BRANCHES, short: "back", help: "back to where you were", run: change(leave) },
	{ id: "back", keys: ["escape"], contexts: BRANCHES, short: "unmark", pi: "tui.select.cancel", when: ({ branches }) => branches.marked.length > 0,
		help: "clear all marks", run: change((state) => withBranches(state, { marked: [] })) },
	{ id: "back", keys: ["escape"], contexts: BRANCHES, pi: "tui.select.cancel", when: ({ progress }) => progress === undefined,
		help: "back to where you were", run: change(leave) },
];

/** Keys of other panes that open the branches. */
// biome-ignore format: a table
export const OPEN_BRANCHES_KEYS: readonly Key[] = [
	{ id: "branches", name: "Branches", synonyms: "ends, forks, overview", keys: ["tab"], contexts: ["tree", "reader"], short: "branches", acts: "entry",
		needs: needsEntries, help: "list all branches of the session", run: change(openBranches) },
	{ id: "branches", keys: [], contexts: ["list"], help: "open the session, and list its branches",
		...onSession("look at", (state, { path }) => transition(goToTree(state, path, openBranches)), { where: "anywhere" }) },
];

/** Ends the zoom, else goes back to the pane from which the branches were opened. */
function leave(state: State): State {
	const { from, fromZoom } = state.branches;
	return state.zoom ? backOnePane(state) : { ...state, focus: from, zoom: fromZoom };
}

function needsEntries(state: State): string | undefined {
	const session = state.detail.session;
	return session === undefined || session.entries.length === 0 ? "There is nothing in this session yet" : undefined;
}

function onBranch(next: (state: State, branch: Branch) => State): Pick<Key, "acts" | "needs" | "run"> {
	return { acts: "entry", ...onSelected(selectedBranch, "There is no branch here", next) };
}

/** Opens the branches, with the cursor on the branch of the entry under the tree's cursor. */
function openBranches(state: State): State {
	const session = state.detail.session;
	if (session === undefined || state.focus === "branches") return state;
	const { selected: entry } = state.tree;
	const end = entry === undefined ? undefined : outlineOf(session).pathThrough(entry).at(-1)?.id;
	const selected = end === session.tree.leafId ? undefined : end;
	const { focus: from, zoom: fromZoom } = state;
	return withBranches({ ...state, focus: "branches", zoom: false }, { from, fromZoom, selected });
}

/** Opens the reader at the start of the branch under the cursor. */
function readBranch(state: State, branch: Branch): State {
	const id = branch.path[0]?.id;
	return id === undefined ? state : { ...atEntry(state, id), focus: "reader", zoom: false };
}

/** Marks or unmarks the branch under the cursor; of three marks, the first one goes. */
function markBranch(state: State, branch: Branch): State {
	const branches = selectBranches(state);
	if (branches === undefined) return state;
	const isThis = (id: string): boolean => branches.list[branchOfEntry(branches, id) ?? -1] === branch;
	const otherMarks = state.branches.marked.filter((id) => !isThis(id));
	const marks = otherMarks.length < state.branches.marked.length ? otherMarks : [...otherMarks, branch.id].slice(-2);
	return withBranches(state, { marked: marks });
}

/** The orders to choose from; the cursor stays on its branch. */
function orderMenu({ branches }: State): MenuOverlay {
	return menu("Order of the branches", [], {
		index: BRANCH_SORTS.indexOf(branches.sort),
		items: BRANCH_SORTS.map((sort) => ({
			label: `${capital(SORT_NAMES[sort])}${sort === "place" ? "" : " first"}`,
			change: (now: State) => withBranches(now, { sort }),
		})),
	});
}

function withBranches(state: State, fields: Partial<BranchesState>): State {
	return { ...state, branches: { ...state.branches, ...fields } };
}

/** Moves the cursor, skipping the rows of forks. */
export function moveInBranches(state: State, distance: Distance): State {
	const { height } = branchesBox(state) ?? { height: 1 };
	const overview = selectShownBranches(state);
	if (overview === undefined) return state;
	const fromRow = selectedBranchRow(state, overview);
	const index = target(fromRow, distance, height, overview.rows.length);
	return selectBranchNear(state, overview, index, index > fromRow ? 1 : -1);
}

export const BRANCHES_FEATURE: Feature = {
	on: {},
	steps: {
		panes: [GATHERED, (state) => (state.focus === "branches" ? placeCursor(state) : state)],
		facts: [COMPARED, DIFFERENCES],
	},
};

function placeCursor(state: State): State {
	const box = branchesBox(state);
	if (box === undefined) return state;
	const overview = selectShownBranches(state);
	if (overview === undefined) return state;
	const top = scrollTo(state.branches.top, selectedBranchRow(state, overview), box.height, overview.rows.length);
	return top === state.branches.top ? state : withBranches(state, { top });
}
