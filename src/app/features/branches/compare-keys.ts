import type { Branch, Branches } from "../../../conversation/branches/branch.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import { BOOKKEEPING } from "../../../store/format/raw-entry.ts";
import { FIRST_CURSOR } from "../../../ui/page/page-rows.ts";
import { change, type Key, onSelected, openPage } from "../../world/keys/key.ts";
import { chosenRows } from "../../world/list/marked.ts";
import { branchOfEntry, selectBranches, selectedBranch } from "../../world/opened/select-branches.ts";
import { atEntry } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { goToTree } from "../../world/page/way-back.ts";
import type { Input, State } from "../../world/state/state.ts";
import { COMPARISON_PAGE, nameOfEnd } from "./compare-page.ts";
import { COMPARISON, type EndIndex, selectComparison, selectedTurn } from "./compare-state.ts";
import { DIFFERENCE, DIFFERENCE_PAGE, goToComparedFile, selectedFile } from "./difference-page.ts";
import type { FileDifference, NamedEnds } from "./effects/compare-effects.ts";
import { PUT_BRANCH_KEYS, PUT_END_KEYS } from "./put-here.ts";

const COMPARED = ["comparison"] as const;
const FILES = ["difference"] as const;

// biome-ignore format: a table
export const COMPARE_SESSIONS_KEYS: readonly Key[] = [
	{ id: "compare", name: "Compare", synonyms: "side by side, diff, difference, two", keys: ["alt+c"], contexts: ["list"], short: "compare", acts: "chosen",
		needs: ({ list }) => (list.marked.size === 2 ? undefined : "Mark two sessions to compare them"),
		help: "compare the two marked sessions, turn beside turn", run: change(compareSessions) },
];

// biome-ignore format: a table
export const COMPARE_BRANCHES_KEYS: readonly Key[] = [
	{ id: "compare", keys: ["alt+c"], contexts: ["branches"], short: "compare", acts: "entry",
		help: "compare the two marked branches, or this one with the marked one, or with the active path",
		...onSelected(chosenBranches, "Move to another branch to compare it with the active path, or mark two", openComparison) },
	{ id: "compare", keys: [], contexts: ["tree"], acts: "entry", help: "compare the branch with the active path",
		...onSelected(branchInTree, "Move to a branch that was left (⊞, or tab) to compare it with the active path", openComparison) },
	...PUT_BRANCH_KEYS,
];

// biome-ignore format: a table
const COMPARISON_KEYS: readonly Key[] = [
	{ id: "open-turn", keys: ["enter", "right"], contexts: COMPARED, short: "open", help: "open the turn in the tree of its session; back leads here again",
		...onSelected(selectedTurn, "It has no turn here", (state, { end, turn }) => goToEntry(state, end.session.path, turn.first.id)) },
	{ id: "other-side", keys: ["tab"], contexts: [...COMPARED, ...FILES], help: "to the other one",
		run: change((state) => COMPARISON.with(state, { side: COMPARISON.of(state).side === 0 ? 1 : 0 })) },
	{ id: "difference", keys: [], contexts: COMPARED, short: "files", help: "show how the files of the two differ",
		...onSelected(selectComparison, "The two are still being read", (state) => openPage(DIFFERENCE.with(state, { cursor: FIRST_CURSOR }), "comparison", "difference")) },
	...PUT_END_KEYS,
	{ id: "go-on-from-first", keys: [], contexts: COMPARED, short: (state) => `resume ${nameOfEnd(state, 0)}`, help: "resume the first one, or the left side, from its end", ...goOnFrom(0) },
	{ id: "go-on-from-second", keys: [], contexts: COMPARED, short: (state) => `resume ${nameOfEnd(state, 1)}`, help: "resume the second one, or the right side, from its end", ...goOnFrom(1) },
];

// biome-ignore format: a table
const DIFFERENCE_KEYS: readonly Key[] = [
	{ id: "next-file", keys: [], contexts: FILES, short: "next file", help: "to the next file", run: change((state) => goToComparedFile(state, 1)) },
	{ id: "previous-file", keys: [], contexts: FILES, short: "previous", help: "to the previous file", run: change((state) => goToComparedFile(state, -1)) },
	{ id: "go-to-edit", keys: ["enter", "right"], contexts: FILES, short: "last edit", help: "go to the last edit of the file, in the tree of its session; back leads here again",
		...onSelected(selectedFile, "There is no file here", goToLastEdit) },
];

function openComparison(state: State, ends: NamedEnds): State {
	return openPage(COMPARISON.with(state, { ends, cursor: FIRST_CURSOR, side: 0 }), "comparison");
}

function compareSessions(state: State): State {
	const [one, other] = chosenRows(state);
	if (one === undefined || other === undefined) return state;
	return openComparison(state, [
		{ path: one.path, entryId: undefined },
		{ path: other.path, entryId: undefined },
	]);
}

/** The marked branches, or the one under the cursor with the marked one, else with the active one. */
function chosenBranches(state: State): NamedEnds | undefined {
	const branches = selectBranches(state);
	const cursor = selectedBranch(state);
	if (branches === undefined || cursor === undefined) return undefined;
	const marked = state.branches.marked.map((id) => branches.list[branchOfEntry(branches, id) ?? -1]);
	const [one, other] = [...marked, ...(marked.length < 2 ? [cursor] : [])];
	const active = branches.list.find(({ kind }) => kind === "active");
	const here = cursor === active || cursor.kind === "trunk" ? onlyOther(branches) : cursor;
	const [first, second] = other === undefined || one === other ? [active, here] : [one, other];
	if (first === undefined || second === undefined || first === second) return undefined;
	const { path } = branches.session;
	const endOf = ({ kind, id }: typeof cursor) => ({ path, entryId: kind === "active" ? undefined : id });
	return [endOf(first), endOf(second)];
}

/** The branch besides the active one, if there is only one. */
function onlyOther({ list }: Branches): Branch | undefined {
	const [only, other] = list.filter(({ kind }) => kind !== "active" && kind !== "trunk");
	return other === undefined ? only : undefined;
}

/** The active path, and the branch that the cursor of the tree is on, or the only other one. */
function branchInTree(state: State): NamedEnds | undefined {
	const { session } = state.detail;
	const { selected } = state.tree;
	if (session === undefined || selected === undefined) return undefined;
	const outline = outlineOf(session);
	const end = outline.pathThrough(selected).at(-1);
	const isActive = end === undefined || outline.isActive(selected);
	const branches = isActive ? selectBranches(state) : undefined;
	const id = isActive ? branches && onlyOther(branches)?.id : end.id;
	const { path } = session;
	return id === undefined
		? undefined
		: [
				{ path, entryId: undefined },
				{ path, entryId: id },
			];
}

/** Opens the tree of a session with the cursor on an entry, or on its end; back leads to this page again. */
function goToEntry(state: State, path: string, id: string | undefined): State {
	return goToTree(state, path, (now) =>
		id === undefined ? { ...now, tree: { ...now.tree, selected: undefined } } : atEntry(now, id),
	);
}

function goToLastEdit(state: State, { edits }: FileDifference): State {
	const edit = edits[1].at(-1) ?? edits[0].at(-1);
	return edit === undefined ? state : goToEntry(state, edit.session, edit.entryId);
}

/** Goes on from an end as Enter does there: asks where, if it is not the leaf of its session. */
function goOnFrom(index: EndIndex): Pick<Key, "needs" | "run"> {
	return onSelected(
		(state) => selectComparison(state)?.ends[index],
		"The two are still being read",
		(state, { session, entryId, rest }) => {
			const isLeaf = entryId === session.tree.leafId;
			const last = rest.findLast(({ type }) => !BOOKKEEPING.has(type))?.id ?? entryId;
			const resume: Input = { type: "command", id: "resume", at: state.now };
			return { ...goToEntry(state, session.path, isLeaf ? undefined : last), waiting: [resume] };
		},
	);
}

export const COMPARISON_FEATURE: Feature = {
	page: COMPARISON_PAGE,
	keys: { section: "Comparison", keys: COMPARISON_KEYS },
	on: {},
};

export const DIFFERENCE_FEATURE: Feature = {
	page: DIFFERENCE_PAGE,
	keys: { section: "Comparison", keys: DIFFERENCE_KEYS },
	on: {},
};

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly comparison: true;
		readonly difference: true;
	}
}
