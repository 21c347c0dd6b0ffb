import type { SessionRow } from "../../catalog/model/row.ts";
import type { State } from "../model/state.ts";
import type { Box, PaneView } from "../model/view.ts";
import type { CleanText } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { selectTreePane } from "./tree-pane.ts";

/**
 * The tree of the session under a page's cursor, in its place beside the rows: only to look at. `row`: undefined where nothing is
 * known of that session; what is open then is the one of the list.
 */
export function selectPagePreview(state: State, box: Box, title: CleanText, row: SessionRow | undefined): PaneView {
	const detail: State["detail"] = row === undefined ? { status: "none" } : state.detail;
	const tree = selectTreePane({ ...state, focus: "list", detail }, box);
	return { ...tree, ...box, title: [span(title)], settings: [], focused: false, cursor: undefined };
}
