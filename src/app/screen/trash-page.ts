import type { State } from "../model/state.ts";
import type { PaneView } from "../model/view.ts";
import { shortenHome } from "../text/format.ts";
import { cleanText, sanitizeLine } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { wrapText } from "../text/wrap.ts";
import { selectedItem, titleOfItem } from "../trash/trash-items.ts";
import { trashLayout } from "../trash/trash-layout.ts";
import { selectTrashPane } from "../trash/trash-pane.ts";
import { selectTreePane } from "./tree-pane.ts";

/** The page of the trash, and the tree of the session under its cursor, where there is room: to look at, in its place. */
export function selectTrashPage(state: State): PaneView[] {
	const pane = selectTrashPane(state);
	const { preview } = trashLayout(state.size);
	if (preview === undefined) return [pane];
	const item = selectedItem(state.trash);
	const title = item === undefined ? "" : titleOfItem(item, state.trash.rows);
	const shown = { ...preview, title: [span(cleanText(title))], settings: [], focused: false, cursor: undefined };
	if (item?.trashed === undefined)
		return [pane, { ...shown, id: "tree", position: cleanText(""), rows: whyNot(state, preview.width) }];
	const tree = selectTreePane({ ...state, focus: "list" }, preview);
	return [pane, { ...tree, ...shown }];
}

function whyNot(state: State, width: number): PaneView["rows"] {
	const item = selectedItem(state.trash);
	if (item === undefined) return [];
	const path = shortenHome(item.path, state.environment.home);
	const text = `This system does not tell where its trash put the file. Restore it there; it belongs to ${path}.`;
	return wrapText(sanitizeLine(text), width - 2).map((line, index) => ({
		key: String(index),
		line: [span(` ${line}`, "muted")],
		selected: false,
	}));
}
