import type { SessionRow } from "../../../catalog/model/row.ts";
import { isRunKey, stepOfGroup } from "../../../conversation/entries/place-runs.ts";
import type { RunLine } from "../../../conversation/entries/run-line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { change, isPicking, type Key, onSelected, PANES } from "../../world/keys/key.ts";
import { familiesOf } from "../../world/list/families.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { currentEntry } from "../../world/opened/select-reader.ts";
import { selectRuns } from "../../world/opened/select-runs.ts";
import { selectedTreeIndex, selectTree } from "../../world/opened/select-tree.ts";
import { goToTree } from "../../world/page/way-back.ts";
import { menu } from "../../world/screen/menus.ts";
import { openOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { atRun, openRun } from "./open-run.ts";

// biome-ignore format: a table
export const RUNS_KEYS: readonly Key[] = [
	{ id: "open-run", keys: ["enter"], contexts: ["tree"], when: (state) => !isPicking(state) && runUnderCursor(state) !== undefined, short: "open the run",
		help: "open the run's conversation; back returns to the step", condition: "on a run of a subagent", acts: "cursor", run: change(openUnderCursor) },
	{ id: "open-run", keys: ["right"], contexts: ["tree"], when: (state) => runUnderCursor(state) !== undefined,
		help: "open the run's conversation", condition: "on a run of a subagent", acts: "cursor", run: change(openUnderCursor) },
	{ id: "open-runs", keys: ["enter", "right"], contexts: ["tree"], when: (state) => groupUnderCursor(state) !== undefined, short: "all runs",
		help: "show or hide the runs", condition: "on a row of several runs", acts: "cursor", run: change(toggleGroup) },
	{ id: "open-run", keys: ["enter"], contexts: ["reader"], when: (state) => !isPicking(state) && runsInSight(state).length > 0, short: "open the run",
		help: "open the conversation of a run", condition: "on a step that started subagents", acts: "cursor", run: change(chooseRun) },
	{ id: "parent", name: "Go to the parent of this run", synonyms: "parent, subagent, up, family", keys: [], contexts: PANES, when: (state) => selectedRow(state)?.run !== undefined,
		help: "go to the step that started this run", acts: "session",
		...onSelected(runWithParent, "The session that asked for this run is gone", (state, { row, parent }) =>
			goToTree(state, parent.path, (now) => atRun(now, row.path))) },
];

function keyUnderCursor(state: State): string | undefined {
	const tree = selectTree(state);
	return tree?.rows.at(selectedTreeIndex(state, tree))?.key;
}

/** The key of the row of several runs under the tree's cursor. */
function groupUnderCursor(state: State): string | undefined {
	const key = keyUnderCursor(state);
	return key !== undefined && stepOfGroup(key) !== undefined ? key : undefined;
}

function toggleGroup(state: State): State {
	const key = groupUnderCursor(state);
	if (key === undefined) return state;
	return { ...state, tree: { ...state.tree, opened: state.tree.opened.symmetricDifference(new Set([key])) } };
}

/** The run on whose row, which may be that of its call, the cursor of the tree is. */
function runUnderCursor(state: State): RunLine | undefined {
	const key = keyUnderCursor(state) ?? "";
	if (isRunKey(key)) return selectRuns(state).lines.get(key);
	const call = selectTree(state)?.rows.runs.get(key);
	return call?.isOne === true ? selectRuns(state).lines.get(call.keys[0] ?? "") : undefined;
}

function openUnderCursor(state: State): State {
	const run = runUnderCursor(state);
	return run === undefined ? state : openRun(state, run);
}

function runsInSight(state: State): readonly RunLine[] {
	const { byEntry } = selectRuns(state);
	return byEntry.size === 0 ? [] : (byEntry.get(currentEntry(state)?.id ?? "") ?? []);
}

/** Opens the run of the entry that is read; of several, the person chooses one. */
function chooseRun(state: State): State {
	const runs = runsInSight(state);
	const [only, ...otherRuns] = runs;
	if (only !== undefined && otherRuns.length === 0) return openRun(state, only);
	const items = runs.map((run) => ({
		label: sanitizeLine([run.agent, run.task].filter((part) => part !== "").join(": ")),
		change: (now: State) => openRun(now, run),
	}));
	return openOverlay(state, menu("Which run?", [], { items }));
}

function runWithParent(state: State): Readonly<Record<"row" | "parent", SessionRow>> | undefined {
	const row = selectedRow(state);
	const parent = row && familiesOf(state.catalog.rows).parents.get(row);
	return row && parent && { row, parent };
}
