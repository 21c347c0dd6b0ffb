import type { Use } from "../../../catalog/uses/use.ts";
import { showSession } from "../../world/list/list-actions.ts";
import { idOf } from "../../world/opened/select-tree.ts";
import { placedAt } from "../../world/state/opened-state.ts";
import { type State, say, shownSession } from "../../world/state/state.ts";
import { selectedUseRow, usedAt } from "./use-rows.ts";
import { USES } from "./uses-state.ts";

/** Closes the page and opens the tree of the session at the entry. */
export function goToUse(state: State): State {
	const use = usedAt(selectedUseRow(USES.of(state)));
	if (use === undefined) return state;
	if (!state.catalog.rows.has(use.path)) return say(state, "The session is not in the list any more", "warning");
	const shown = showSession({ ...state, overlays: [] }, use.path);
	return USES.with({ ...shown, list: { ...shown.list, opensPending: true } }, { going: use });
}

/** Puts the cursor of the tree on the entry that the person goes to, once its session is open. */
export function reconcileGoing(state: State): State {
	const { going } = USES.of(state);
	if (going === undefined) return state;
	const session = shownSession(state.detail);
	const hasLeft = state.overlays.length > 0 || (!state.list.opensPending && pathOf(state) !== going.path);
	if (hasLeft) return USES.with(state, { going: undefined });
	if (session?.path !== going.path) return state;
	const there = USES.with(state, { going: undefined });
	const id = idsOf(going)
		.map((place) => idOf(place, session))
		.find((id) => id !== undefined && session.tree.byId.has(id));
	if (id === undefined) return say(there, "The entry is not in the session any more", "warning");
	return { ...there, tree: { ...there.tree, selected: id, pinned: id }, reader: placedAt(there.reader, id) };
}

function pathOf({ detail }: State): string | undefined {
	return detail.status === "none" ? undefined : detail.row.path;
}

/** Ids that the row in the tree may have: the tree shows a command of the model in the row of its result, if there is one. */
function idsOf({ result, entryId, line }: Use): readonly { readonly entryId: string; readonly line: number }[] {
	return result === undefined ? [{ entryId, line }] : [result, { entryId, line }];
}
