import { reasonParts } from "../../../conversation/glance/resume-view.ts";
import { noticeRows } from "../../../ui/page/page-rows.ts";
import { titleRoom, titleStart } from "../../../ui/pane-title.ts";
import { withSelection } from "../../../ui/selection.ts";
import { span } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import { cutLine, partForms } from "../../../ui/text/width.ts";
import type { Colors } from "../../../ui/theme/theme-choice.ts";
import type { Box, Cell, OverlayView } from "../../../ui/view.ts";
import { selectBranchesPane, selectBranchPreview } from "../../features/branches/branches-pane.ts";
import { SESSIONS } from "../../features/list/session-rows.ts";
import { MEMORY } from "../../features/memory/memory-state.ts";
import { selectReaderPane } from "../../features/reader/reader-pane.ts";
import { tourLine } from "../../features/tour/tour.ts";
import { selectTreePane } from "../../features/tree/tree-pane.ts";
import { selectFooter } from "../../world/keys/key.ts";
import type { PagePreview } from "../../world/page/page.ts";
import { type Layout, layoutFor, SMALLEST } from "../../world/screen/layout.ts";
import type { AppPane, AppScreen, State } from "../../world/state/state.ts";
import { openedPage, pagePreview } from "../features/features.ts";
import { listTitle, selectHeader, selectResumeView, selectTabs } from "./header.ts";
import { selectMessage, selectOverlay } from "./overlay.ts";
import { screenInWords, selectedCell } from "./screen-in-words.ts";

/** The whole screen for a state. Pure; the selectors that it calls cache what is expensive. */
export function selectScreen(state: State): AppScreen {
	const view = drawnScreen(state);
	if (state.environment.plain !== true || view.smallest !== undefined) return view;
	const plain = screenInWords(view);
	// After a key that moves, what is read is the selected row.
	const isTyped = state.typing.last !== undefined || view.overlay?.kind === "prompt";
	return isTyped ? plain : { ...plain, cursor: undefined };
}

function drawnScreen(state: State): AppScreen {
	const { size } = state;
	const header = selectHeader(state);
	const shared = { ...size, header: header.line, footer: selectFooter(state) };
	if (size.columns < SMALLEST.columns || size.rows < SMALLEST.rows) {
		return { ...shared, smallest: SMALLEST, panes: [], cursor: undefined, selected: undefined };
	}
	const layout = layoutFor(state);
	const page = selectPage(state);
	const { selection } = state.mouse;
	const panes = (page ?? withTour(state, layout, selectPanes(state, layout))).map((pane) =>
		pane.id === selection?.pane ? withSelection(pane, selection) : pane,
	);
	const overlay = selectOverlay(state);
	const isBeside = page === undefined && layout.bottom !== undefined;
	const reasons = isBeside ? (selectResumeView(state)?.reasons ?? []) : [];
	return {
		...shared,
		panes,
		bottom: isBeside
			? {
					...{ y: layout.bottom, note: partForms(reasonParts(reasons)), instead: tourLine(state) },
					first: state.focus === "list" ? [selectTabs()] : [],
				}
			: undefined,
		overlay,
		message: selectMessage(state),
		cursor: cursorCell(overlay, header.cursor, panes),
		selected: selectedCell(panes, overlay),
	};
}

/** The cell of the text cursor: in the prompt, else in the header or the title of the pane that is typed in; undefined if there is no field. */
function cursorCell(
	overlay: OverlayView | undefined,
	inHeader: number | undefined,
	panes: readonly AppPane[],
): Cell | undefined {
	if (overlay !== undefined) return overlay.cursor;
	if (inHeader !== undefined) return { x: inHeader, y: 0 };
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
	const sessions = list && SESSIONS.pane(state);
	const panes =
		sessions === undefined
			? []
			: [{ ...sessions, title: cutLine(listTitle(state), titleRoom(sessions, sessions.position)) }];
	if (tree !== undefined) panes.push(selectTreePane(state, tree));
	if (branches !== undefined) panes.push(selectBranchesPane(state, branches));
	if (reader !== undefined)
		panes.push(branches === undefined ? selectReaderPane(state, reader) : selectBranchPreview(state, reader));
	return panes;
}

/** Without a rule below the panes, the tour stands above the last one of a session; above the list there is room. */
function withTour(state: State, { list, bottom }: Layout, panes: readonly AppPane[]): readonly AppPane[] {
	const tour = bottom === undefined && list === undefined ? tourLine(state) : undefined;
	const last = panes.at(-1);
	if (tour === undefined || last === undefined) return panes;
	return [...panes.slice(0, -1), { ...last, title: cutLine(tour, titleRoom(last, last.position)), settings: [] }];
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

export function selectColors(state: State): Colors {
	return MEMORY.of(state).colors;
}
