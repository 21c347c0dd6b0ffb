import type { SessionRow } from "../../catalog/model/row.ts";
import type { CleanText } from "../../ui/text/sanitize.ts";
import { span } from "../../ui/text/span.ts";
import type { Box } from "../../ui/view.ts";
import type { AppPane, State } from "../model/state.ts";
import { selectTreePane } from "./tree-pane.ts";

/**
 * The tree of the session under a page's cursor, in its place beside the rows: only to look at. `row`: undefined where nothing is
 * known of that session; what is open then is the one of the list.
 */
export function selectPagePreview(state: State, box: Box, title: CleanText, row: SessionRow | undefined): AppPane {
	const detail: State["detail"] = row === undefined ? { status: "none" } : state.detail;
	const tree = selectTreePane({ ...state, focus: "list", detail }, box);
	return { ...tree, ...box, title: [span(title)], settings: [], focused: false, cursor: undefined };
}
