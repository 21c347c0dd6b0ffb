import { noticeRows } from "../../ui/page/notice-rows.ts";
import { shortenHome } from "../../ui/text/format.ts";
import { cleanText } from "../../ui/text/sanitize.ts";
import type { Box } from "../../ui/view.ts";
import type { AppPane, State } from "../model/state.ts";
import { layoutWithPreview } from "../page/page-layout.ts";
import { selectedItem, selectedTrashRow, titleOfItem } from "../trash/trash-items.ts";
import { selectTrashPane } from "../trash/trash-pane.ts";
import { selectPagePreview } from "./page-preview.ts";

/** The page of the trash, and the tree of the session under its cursor, where there is room: to look at, in its place. */
export function selectTrashPage(state: State): AppPane[] {
	const pane = selectTrashPane(state);
	const { second } = layoutWithPreview(state.size);
	if (second === undefined) return [pane];
	const item = selectedItem(state.trash);
	const title = item === undefined ? cleanText("") : titleOfItem(item, state.trash.rows);
	const preview = selectPagePreview(state, second, title, selectedTrashRow(state.trash));
	if (item?.trashed !== undefined) return [pane, preview];
	return [pane, { ...preview, position: cleanText(""), rows: whyNot(state, second) }];
}

function whyNot(state: State, box: Box): AppPane["rows"] {
	const item = selectedItem(state.trash);
	if (item === undefined) return [];
	const path = shortenHome(item.path, state.environment.home);
	const text = `This system does not tell where its trash put the file. Restore it there; it belongs to ${path}.`;
	return noticeRows(text, "muted", box);
}
