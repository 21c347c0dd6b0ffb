import { noticeRows } from "../../ui/page/notice-rows.ts";
import { shortenHome } from "../../ui/text/format.ts";
import { type CleanText, cleanText, joinText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { sessionTitle } from "../list/draw-row.ts";
import type { AppPane, State } from "../model/state.ts";
import { layoutWithPreview } from "../page/page-layout.ts";
import type { TidySession } from "../tidy/tidy-groups.ts";
import { selectTidyPane } from "../tidy/tidy-pane.ts";
import { selectedTidySession } from "../tidy/tidy-rows.ts";
import { selectPagePreview } from "./page-preview.ts";

/** What may be deleted, and the tree of the session under the cursor, where there is room. */
export function selectTidyPage(state: State): AppPane[] {
	const pane = selectTidyPane(state);
	const { second } = layoutWithPreview(state.size);
	if (second === undefined) return [pane];
	const session = selectedTidySession(state);
	const preview = selectPagePreview(state, second, titleOf(session, state.environment.home), session?.row);
	if (session !== undefined) return [pane, preview];
	const text =
		"Nothing is marked before you mark it: space marks a session, or all of a group. What is deleted goes to the system's trash.";
	return [pane, { ...preview, position: cleanText(""), rows: noticeRows(text, "muted", second) }];
}

/** Of a duplicate, also where all of it is. */
function titleOf(session: TidySession | undefined, home: string): CleanText {
	if (session === undefined) return cleanText("");
	const { row, within } = session;
	if (within === undefined) return sessionTitle(row);
	return joinText(cleanText("all of it is in "), sanitizeLine(shortenHome(within.path, home)));
}
