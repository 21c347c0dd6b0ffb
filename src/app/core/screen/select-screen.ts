import { noticeRows } from "../../../ui/page/page-rows.ts";
import { bottomRule, titleRule, titleStart } from "../../../ui/pane-title.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { Box, Cell, OverlayView, Size } from "../../../ui/view.ts";
import { selectBranchesPane, selectBranchPreview } from "../../features/branches/branches-pane.ts";
import { selectListPane } from "../../features/list/list-pane.ts";
import { selectReaderPane } from "../../features/reader/reader-pane.ts";
import { selectTreePane } from "../../features/tree/tree-pane.ts";
import { selectFooter } from "../../world/keys/key.ts";
import type { PagePreview } from "../../world/page/page.ts";
import { branchesLayout, type Layout, SMALLEST } from "../../world/screen/layout.ts";
import type { AppPane, AppScreen, State } from "../../world/state/state.ts";
import { openedPage, pagePreview } from "../features/features.ts";
import { selectGauge, selectHeader } from "./header.ts";
import { selectMessage, selectOverlay } from "./overlay.ts";

/** The whole screen for a state. Pure; the selectors that it calls cache what is expensive. */
export function selectScreen(state: State): AppScreen {
	const { columns, rows } = state.size;
	const shared = { columns, rows, header: selectHeader(state), footer: selectFooter(state) };
	if (columns < SMALLEST.columns || rows < SMALLEST.rows) {
		return { ...shared, tooSmall: tooSmall(state.size), panes: [], rules: [], dividers: [], cursor: undefined };
	}
	const layout = branchesLayout(state);
	const page = selectPage(state);
	const panes = page ?? selectPanes(state, layout);
	const bottom = page === undefined ? layout.bottom : undefined;
	const rules = panes.map((pane) => titleRule(pane, FIRST_RULE, bottom));
	if (bottom !== undefined) rules.push(bottomRule(panes, bottom, columns, (width) => selectGauge(state, width)));
	const overlay = selectOverlay(state);
	return {
		...shared,
		panes,
		rules,
		dividers: panes.filter(({ x }) => x > 0).map(({ x, y, height }) => ({ x: x - 1, y, width: 1, height })),
		overlay,
		message: selectMessage(state),
		cursor: cursorCell(overlay, panes),
	};
}

const FIRST_RULE = 1;

/** The size that is needed, in the longest form that fits; the shortest one is cut if even that does not fit. */
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

/** The cell of the text cursor: in the prompt, else in the title of the pane that is typed in; undefined if there is no field. */
function cursorCell(overlay: OverlayView | undefined, panes: readonly AppPane[]): Cell | undefined {
	if (overlay !== undefined) return overlay.kind === "menu" ? undefined : overlay.cursor;
	const pane = panes.find(({ focused, cursor }) => focused && cursor !== undefined);
	return pane?.cursor === undefined ? undefined : { x: titleStart(pane) + pane.cursor, y: pane.y - 1 };
}

function selectPage(state: State): readonly AppPane[] | undefined {
	const panes = openedPage(state)?.panes(state);
	const preview = pagePreview(state);
	return panes === undefined || preview?.box === undefined
		? panes
		: [...panes, selectPagePreview(state, preview, preview.box)];
}

function selectPanes(state: State, { list, tree, reader, branches }: Layout): AppPane[] {
	const panes: AppPane[] = [];
	if (list !== undefined) panes.push(selectListPane(state, list));
	if (tree !== undefined) panes.push(selectTreePane(state, tree));
	if (branches !== undefined) panes.push(selectBranchesPane(state, branches));
	if (reader !== undefined)
		panes.push(branches === undefined ? selectReaderPane(state, reader) : selectBranchPreview(state, reader));
	return panes;
}

/** The tree of the session under a page's cursor, beside the rows, read-only. */
function selectPagePreview(state: State, { row, title, instead }: PagePreview, box: Box): AppPane {
	// If that session is unknown, the list's session is the open one.
	const detail: State["detail"] = row === undefined ? { status: "none" } : state.detail;
	const tree = selectTreePane({ ...state, focus: "list", detail }, box);
	const pane = { ...tree, ...box, title: [span(title)], settings: [], focused: false, cursor: undefined };
	if (instead === undefined) return pane;
	return { ...pane, position: blanks(0), rows: instead === "" ? [] : noticeRows(instead, "muted", box) };
}
