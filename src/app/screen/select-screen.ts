import { layoutFor, SMALLEST } from "../model/layout.ts";
import type { Size, State } from "../model/state.ts";
import type { Cell, Line, OverlayView, PaneView, ScreenView } from "../model/view.ts";
import { span } from "../text/span.ts";
import { wrapText } from "../text/wrap.ts";
import { selectFooter } from "./footer.ts";
import { selectHeader } from "./header.ts";
import { selectListPane } from "./list-pane.ts";
import { selectMessage } from "./message.ts";
import { selectOverlay } from "./overlay.ts";
import { selectQueryLine } from "./query-line.ts";
import { selectEntryPane, selectTreePane } from "./tree-pane.ts";

/** The whole screen for a state. Pure; the selectors that it calls remember what is costly. */
export function selectScreen(state: State): ScreenView {
	const { columns, rows } = state.size;
	const { line, cursor } = selectQueryLine(state);
	const shared = { columns, rows, header: selectHeader(state), query: line, footer: selectFooter(state) };
	if (columns < SMALLEST.columns || rows < SMALLEST.rows) {
		return { ...shared, tooSmall: tooSmall(state.size), panes: [], cursor: undefined };
	}
	const overlay = selectOverlay(state);
	const message = selectMessage(state);
	return { ...shared, panes: selectPanes(state), overlay, message, cursor: cursorCell(overlay, cursor) };
}

/** What is wrong with the size, in the longest form that fits; the last one is cut where not even that does. */
function tooSmall({ columns, rows }: Size): Line[] {
	const needed = `${SMALLEST.columns}×${SMALLEST.rows}`;
	const forms = [
		`pi-grove needs ${needed}, this is ${columns}×${rows}`,
		`pi-grove needs ${needed}`,
		`needs ${needed}`,
		needed,
	];
	const wrapped = forms.map((form) => wrapText(form, columns));
	const fitting = wrapped.find(({ length }) => length <= rows) ?? wrapped.at(-1) ?? [];
	return fitting.slice(0, rows).map((row) => [span(row, "warning")]);
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
