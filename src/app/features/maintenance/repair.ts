import { damageKey } from "../../../conversation/tree/tree-rows.ts";
import { openTree } from "../../world/page/way-back.ts";
import { askToChange } from "../../world/questions/ask.ts";
import { NOTHING_TO_REPAIR, type PlannedCopies, repairable, repairNotes } from "../../world/questions/notes.ts";
import { pageOf } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { chosenDamaged } from "./chosen-rows.ts";
import { selectedMaintenanceRow } from "./maintenance-rows.ts";

/** Codes of findings about lines without an entry that the tree shows as rows. */
const LOST_LINES: ReadonlySet<string> = new Set(["bad-line", "torn-tail", "line-too-long"]);

/** Closes the view and puts the cursor of the tree on the entry of the finding. */
export function goToFinding(state: State): State {
	const row = selectedMaintenanceRow(state);
	if (row?.type !== "finding") return state;
	const { entryId, code, line } = row.finding;
	const id = LOST_LINES.has(code) && line !== undefined ? damageKey(line) : entryId;
	if (id === undefined) return say(state, "This is about the file, not about an entry of it", "muted");
	return openTree(state, row.path, (now) => ({ ...now, tree: { ...now.tree, selected: id } }));
}

/** Plans repaired copies of the chosen sessions, for the question whether to make them. */
export function repairChosen(state: State): Transition {
	return transition(state, { type: "plan-repair", paths: chosenDamaged(state).map(({ path }) => path) });
}

/** Asks whether to repair sessions, unless the person has left the view meanwhile. */
export function askToRepair(state: State, planned: PlannedCopies): Transition {
	if (pageOf(state) !== "maintenance" || state.overlays.at(-1)?.kind !== "maintenance") return transition(state);
	const paths = repairable(planned);
	const rows = paths.flatMap((path) => state.catalog.here.get(path) ?? []);
	if (rows.length === 0) return transition(say(state, NOTHING_TO_REPAIR, "warning"));
	return askToChange(state, { type: "repair" }, rows, { more: () => repairNotes(planned) });
}
