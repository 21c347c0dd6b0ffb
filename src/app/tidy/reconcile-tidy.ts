import type { ContainedSessions } from "../../store/duplicates/contained-sessions.ts";
import type { Distance } from "../../ui/page/distance.ts";
import { moveCursor, placeCursor } from "../../ui/page/page-cursor.ts";
import type { State } from "../model/state.ts";
import type { TidyState } from "../model/tidy-state.ts";
import { type Transition, transition } from "../model/transition.ts";
import { pageOf } from "../page/open-page.ts";
import { headRows, layoutWithPreview } from "../page/page-layout.ts";
import type { Family } from "./families.ts";
import { familiesToCompare, isLooking, selectFamilies } from "./select-tidying.ts";
import { keptMarks, selectTidyRows } from "./tidy-rows.ts";

/** Families that are read in one go: no more than this, and, but for one, no more than so many bytes. */
const COMPARED_AT_ONCE = 50;
const COMPARED_BYTES = 16_000_000;

/** Has the families of forks read, a part at a time, while the page is open. Before that, all directories are looked at. */
export function reconcileTidy(state: State): Transition {
	if (pageOf(state) !== "tidy") return transition(state);
	const placed = place(takeFates(state));
	const { tidy, catalog } = placed;
	if (!catalog.complete || isLooking(placed) || tidy.comparing || tidy.isStopped) return transition(placed);
	const families = nextFamilies(familiesToCompare(placed));
	if (families.length === 0) return transition(placed);
	return transition(withTidy(placed, { comparing: true }), { type: "compare-families", families });
}

/** Until all directories have been looked at anew, they count as they were: nothing that is marked disappears meanwhile. */
function takeFates(state: State): State {
	const { fates } = state.moved;
	if (isLooking(state) || fates === state.tidy.fates) return state;
	return withTidy(state, { fates });
}

function place(state: State): State {
	const { tidy } = state;
	const rows = selectTidyRows(state);
	const cursor = placeCursor(tidy.cursor, rows, capacity(state));
	const marks = keptMarks(state);
	return cursor === tidy.cursor && marks === tidy.marks ? state : withTidy(state, { cursor, marks });
}

export function moveInTidy(state: State, distance: Distance): State {
	const cursor = moveCursor(state.tidy.cursor, selectTidyRows(state), distance, capacity(state));
	return withTidy(state, { cursor });
}

/** How many rows are in sight. */
function capacity({ size }: State): number {
	const { height } = layoutWithPreview(size).list;
	return height - headRows(height);
}

function nextFamilies(families: readonly Family[]): readonly Family[] {
	let bytes = 0;
	const rest = families.findIndex((family, index) => {
		bytes += family.bytes;
		return index === COMPARED_AT_ONCE || (index > 0 && bytes > COMPARED_BYTES);
	});
	return families.slice(0, rest === -1 ? families.length : rest);
}

/** What was found in families. What is known of those that are no longer so is forgotten. */
export function applyCompared(state: State, found: ReadonlyMap<string, readonly ContainedSessions[]>): State {
	const compared = new Map(state.tidy.compared);
	for (const [key, contained] of found) compared.set(key, contained);
	const present = new Set(selectFamilies(state).map(({ key }) => key));
	for (const key of compared.keys()) if (!present.has(key)) compared.delete(key);
	return withTidy(state, { comparing: false, compared });
}

export function withTidy(state: State, fields: Partial<TidyState>): State {
	return { ...state, tidy: { ...state.tidy, ...fields } };
}
