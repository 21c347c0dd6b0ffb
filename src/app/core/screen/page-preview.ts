import { noticeRows } from "../../../ui/page/notice-rows.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import type { Box } from "../../../ui/view.ts";
import { selectTreePane } from "../../features/tree/tree-pane.ts";
import type { PagePreview } from "../../world/page/page.ts";
import type { AppPane, State } from "../../world/state.ts";

/** The tree of the session under a page's cursor, in its place beside the rows: only to look at. */
export function selectPagePreview(state: State, { row, title, instead }: PagePreview, box: Box): AppPane {
	// Where nothing is known of that session, what is open is the one of the list.
	const detail: State["detail"] = row === undefined ? { status: "none" } : state.detail;
	const tree = selectTreePane({ ...state, focus: "list", detail }, box);
	const pane = { ...tree, ...box, title: [span(title)], settings: [], focused: false, cursor: undefined };
	if (instead === undefined) return pane;
	return { ...pane, position: blanks(0), rows: instead === "" ? [] : noticeRows(instead, "muted", box) };
}
