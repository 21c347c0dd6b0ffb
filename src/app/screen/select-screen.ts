import { layoutFor, SMALLEST } from "../model/layout.ts";
import type { State } from "../model/state.ts";
import type { Cell, OverlayView, PaneView, ScreenView } from "../model/view.ts";
import { span } from "../text/span.ts";
import { cutLine } from "../text/width.ts";
import { selectFooter } from "./footer.ts";
import { selectHeader } from "./header.ts";
import { selectListPane } from "./list-pane.ts";
import { selectOverlay } from "./overlay.ts";
import { selectQueryLine } from "./query-line.ts";
import { selectEntryPane, selectTreePane } from "./tree-pane.ts";

/** The whole screen for a state. Pure; the selectors that it calls remember what is costly. */
export function selectScreen(state: State): ScreenView {
	const { columns, rows } = state.size;
	const { line, cursor } = selectQueryLine(state);
	const shared = { columns, rows, header: selectHeader(state), query: line, footer: selectFooter(state) };
	if (columns < SMALLEST.columns || rows < SMALLEST.rows) {
		const text = `pi-grove needs ${SMALLEST.columns}×${SMALLEST.rows}, this is ${columns}×${rows}`;
		return { ...shared, tooSmall: cutLine([span(text, "warning")], columns), panes: [], cursor: undefined };
	}
	const overlay = selectOverlay(state);
	return { ...shared, panes: selectPanes(state), overlay, cursor: cursorCell(overlay, cursor) };
}

/** In the prompt, else in the query; nowhere where nothing can be typed. */
function cursorCell(overlay: OverlayView | undefined, queryCursor: number | undefined): Cell | undefined {
	if (overlay === undefined) return queryCursor === undefined ? undefined : { x: queryCursor, y: 1 };
	return overlay.kind === "prompt" ? overlay.cursor : undefined;
}

function selectPanes(state: State): PaneView[] {
	const { list, tree, entry } = layoutFor(state.size, state.focus);
	const panes: PaneView[] = [];
	if (list !== undefined) panes.push(selectListPane(state, list));
	if (tree !== undefined) panes.push(selectTreePane(state, tree));
	if (entry !== undefined) panes.push(selectEntryPane(state, entry));
	return panes;
}
