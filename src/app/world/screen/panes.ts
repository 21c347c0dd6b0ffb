import type { Focus, State } from "../state/state.ts";
import { type Layout, layoutFor, moveDivider, type PlacedDivider } from "./layout.ts";

const PREVIOUS: Readonly<Record<Focus, Focus>> = { list: "list", tree: "list", reader: "tree", branches: "tree" };

/** Cells by which a key moves a divider between columns, and one between rows. */
const COLUMNS_STEP = 4;
const ROWS_STEP = 1;

/** Focuses a pane, ending the zoom. */
export function focusOn(focus: Focus): (state: State) => State {
	return (state) => ({ ...state, focus, zoom: false });
}

/** Focuses the previous pane; a zoomed pane only ends its zoom. */
export function backOnePane(state: State): State {
	return state.zoom ? endZoom(state) : { ...state, focus: PREVIOUS[state.focus] };
}

/** Gives a pane the whole screen, or ends that. */
export function toggleZoom(state: State, focus: Focus = state.focus): State {
	return state.zoom ? endZoom(state) : { ...state, focus, zoom: true, beforeZoom: state.focus };
}

function endZoom(state: State): State {
	return { ...state, zoom: false, focus: state.beforeZoom };
}

/** The divider that bounds the focused pane. */
export function dividerOfFocus(state: State): PlacedDivider | undefined {
	const { dividers } = layoutFor(state);
	return state.focus === "list" ? dividers[0] : dividers.at(-1);
}

/** Gives the focused pane more room, or less. */
export function growPane(state: State, by: 1 | -1): State {
	const divider = dividerOfFocus(state);
	if (divider === undefined) return state;
	const isRow = divider.box.height === 1;
	const step = (isRow ? ROWS_STEP : COLUMNS_STEP) * (isAfter(layoutFor(state), state.focus, divider) ? -by : by);
	return { ...state, split: moveDivider(state.split, divider, (isRow ? divider.box.y : divider.box.x) + step) };
}

/** Whether a pane is right of a divider or below it. */
function isAfter(layout: Layout, focus: Focus, { box }: PlacedDivider): boolean {
	const pane = layout[focus];
	return pane !== undefined && (box.height === 1 ? pane.y > box.y : pane.x > box.x);
}

/** The filter of the focused pane; the reader has none. */
export function queryOf(state: State): string {
	return state.focus === "reader" ? "" : state[state.focus].query.text;
}
