import { chosenOf } from "../../../ui/page/page-marks.ts";
import { openPage } from "../../world/page/open-page.ts";
import type { State } from "../../world/state.ts";
import { type Transition, transition } from "../../world/transition.ts";
import { titleOfItem } from "./trash-items.ts";
import { FIRST_TRASH } from "./trash-state.ts";

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
