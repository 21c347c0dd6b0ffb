import { formatSize, shortenHome } from "../../../ui/text/format.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import type { Line } from "../../../ui/view.ts";
import { definePage, type Notice } from "../../world/page/define-page.ts";
import type { PagePreview } from "../../world/page/page.ts";
import type { State } from "../../world/state.ts";
import { drawHeads, drawItem } from "./draw-item.ts";
import { lookForParents, syncTrash, withTrash } from "./reconcile-trash.ts";
import { selectedItem, selectedTrashRow, titleOfItem } from "./trash-items.ts";
import type { TrashItem } from "./trash-state.ts";

/** What was deleted, and the tree of the session under the cursor: to look at, in its place. */
export const TRASH_PAGE = definePage<TrashItem>({
	kind: "trash",
	name: "trash",
	rows: ({ trash }) => trash.items,
	heads: (_, width) => drawHeads(width),
	draw:
		({ trash: { rows }, environment: { home }, now }) =>
		(item, drawing) =>
			drawItem(item, { ...drawing, rows, home, now }),
	notes,
	nothing,
	preview,
	marking: {
		of: ({ trash }) => trash.marks,
		withMarks: (state, marks) => withTrash(state, { marks }),
		what: ["session", "sessions"],
	},
	sync: syncTrash,
	whileClosed: lookForParents,
});

/** Who empties the trash, in the longest form that fits. */
function notes({ trash }: State): readonly Line[] {
	if (trash.reading && !trash.complete) return [[span("looking …", "muted")]];
	const bytes = trash.items.reduce((sum, { size }) => sum + size, 0);
	const sum = `${formatSize(bytes)} in all`;
	return [
		[span(`${sum} · it is emptied with the system's own trash, never from here`, "muted")],
		[span("emptied by the system's own trash", "muted")],
		[span(sum, "muted")],
	];
}

function nothing({ trash }: State): Notice {
	if (trash.error !== undefined) return [trash.error, "error"];
	if (!trash.complete) return ["Looking …"];
	return ["There is no session in the trash. What is deleted here goes to the system's trash, which is emptied there."];
}

function preview({ trash, environment }: State): PagePreview {
	const item = selectedItem(trash);
	const row = selectedTrashRow(trash);
	if (item === undefined) return { row, title: cleanText(""), instead: "" };
	const title = titleOfItem(item, trash.rows);
	if (item.trashed !== undefined) return { row, title };
	const path = shortenHome(item.path, environment.home);
	return {
		row,
		title,
		instead: `This system does not tell where its trash put the file. Restore it there; it belongs to ${path}.`,
	};
}
