import { target } from "../../../ui/page/distance.ts";
import { rowAtCursor } from "../../../ui/page/page-cursor.ts";
import { openPage } from "../../world/page/open-page.ts";
import { layoutWithPreview } from "../../world/page/page-layout.ts";
import type { State } from "../../world/state.ts";
import { movedGroups, placeOf, proposalsFor, type SessionGroup } from "./gone-groups.ts";
import { detailRows } from "./moved-detail.ts";
import { FIRST_MOVED } from "./moved-state.ts";
import { withMoved } from "./reconcile-moved.ts";

/** The page of directories that are gone; all are looked at anew. `directory`: where its cursor is to be. */
export function openMoved(state: State, directory?: string): State {
	const cursor = { ...FIRST_MOVED.cursor, selected: directory };
	return openPage(withMoved(state, { ...FIRST_MOVED, cursor, search: state.moved.search + 1 }), "moved");
}

/** The directory under the cursor, with its sessions. */
export function groupHere(state: State): SessionGroup | undefined {
	return rowAtCursor(state.moved.cursor, movedGroups(state));
}

/** Scrolls what is shown of the directory under the cursor. */
export function scrollMoved(state: State, rows: number): State {
	const group = groupHere(state);
	const { second } = layoutWithPreview(state.size);
	if (group === undefined || second === undefined) return state;
	const count = detailRows(state, group, second.width).length;
	const last = Math.max(0, count - second.height);
	return withMoved(state, { top: target(Math.min(state.moved.top, last), { rows }, second.height, last + 1) });
}

/** The next of the places that are proposed for the directory under the cursor, or the one before. */
export function turnPlace(by: 1 | -1): (state: State) => State {
	return (state) => {
		const group = groupHere(state);
		if (group === undefined) return state;
		const places = proposalsFor(state, group).map(({ directory }) => directory);
		if (places.length === 0) return state;
		const at = places.indexOf(placeOf(state, group) ?? "");
		const next = places[at === -1 ? 0 : (at + by + places.length) % places.length];
		return next === undefined ? state : choosePlace(state, group.key, next);
	};
}

/** The person has chosen the place of a directory. */
export function choosePlace(state: State, gone: string, place: string): State {
	return withMoved(state, { chosen: new Map([...state.moved.chosen, [gone, place]]) });
}
