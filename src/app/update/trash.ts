import { chosenOf } from "../../ui/page/page-marks.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { FIRST_TRASH } from "../model/trash-state.ts";
import { openPage } from "../page/open-page.ts";
import { titleOfItem } from "../trash/trash-items.ts";

/** The page of the trash, with its cursor on what was deleted last. */
export function openTrash(state: State): State {
	const { request, paths, pathsCurrent } = state.trash;
	return openPage({ ...state, trash: { ...FIRST_TRASH, request, paths, pathsCurrent } }, "trash");
}

/** Brings the marked sessions back to their places, else the one under the cursor. */
export function restoreChosen(state: State): Transition {
	const { rows, items: all, marks, cursor } = state.trash;
	const items = chosenOf(marks, all, cursor).map((item) => ({ item, title: titleOfItem(item, rows) }));
	return transition(state, { type: "restore-all", items, beside: false });
}
