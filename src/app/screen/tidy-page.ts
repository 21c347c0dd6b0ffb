import { sessionTitle } from "../list/draw-row.ts";
import type { State } from "../model/state.ts";
import type { PaneView } from "../model/view.ts";
import { noticeRows } from "../page/notice-rows.ts";
import { layoutWithPreview } from "../page/page-layout.ts";
import { cleanText } from "../text/sanitize.ts";
import { selectTidyPane } from "../tidy/tidy-pane.ts";
import { selectedTidySession } from "../tidy/tidy-rows.ts";
import { selectPagePreview } from "./page-preview.ts";

/** What may be deleted, and the tree of the session under the cursor, where there is room. */
export function selectTidyPage(state: State): PaneView[] {
	const pane = selectTidyPane(state);
	const { second } = layoutWithPreview(state.size);
	if (second === undefined) return [pane];
	const row = selectedTidySession(state)?.row;
	const preview = selectPagePreview(state, second, row === undefined ? cleanText("") : sessionTitle(row));
	if (row !== undefined) return [pane, preview];
	const text =
		"Nothing is marked before you mark it: space marks a session, or all of a group. What is deleted goes to the system's trash.";
	return [pane, { ...preview, position: cleanText(""), rows: noticeRows(text, "muted", second) }];
}
