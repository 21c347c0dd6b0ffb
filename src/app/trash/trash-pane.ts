import { noticeRows } from "../../ui/page/notice-rows.ts";
import { cursorIndex } from "../../ui/page/page-cursor.ts";
import { formatCount, formatCounted, formatSize } from "../../ui/text/format.ts";
import { cleanText } from "../../ui/text/sanitize.ts";
import { span, strong } from "../../ui/text/span.ts";
import type { Box, Line, RowView } from "../../ui/view.ts";
import type { AppPane, State } from "../model/state.ts";
import { headRows, layoutWithPreview } from "../page/page-layout.ts";
import { drawHeads, drawItem } from "./draw-item.ts";

/** What was deleted: the items in sight. */
export function selectTrashPane(state: State): AppPane {
	const { list } = layoutWithPreview(state.size);
	const { trash } = state;
	const count = trash.items.length;
	return {
		id: "list",
		...list,
		title: [strong("trash", "accent"), ...markedNote(state)],
		settings: notes(state),
		position: cleanText(
			count === 0 ? "" : `${formatCount(cursorIndex(trash.cursor, trash.items) + 1)}/${formatCount(count)}`,
		),
		focused: true,
		rows: count === 0 ? nothing(state, list) : itemRows(state, list),
	};
}

function markedNote({ trash }: State): Line {
	return trash.marks.marked.size === 0
		? []
		: [span(` ${formatCounted(trash.marks.marked.size, "marked", "marked")}`, "current")];
}

/** Who empties the trash, in the longest form that fits. */
function notes({ trash }: State): Line[] {
	if (trash.reading && !trash.complete) return [[span("looking …", "muted")]];
	const bytes = trash.items.reduce((sum, { size }) => sum + size, 0);
	const sum = `${formatSize(bytes)} in all`;
	return [
		[span(`${sum} · it is emptied with the system's own trash, never from here`, "muted")],
		[span("emptied by the system's own trash", "muted")],
		[span(sum, "muted")],
	];
}

function itemRows({ trash, environment, now }: State, { width, height }: Box): RowView[] {
	const { top } = trash.cursor;
	const cursor = cursorIndex(trash.cursor, trash.items);
	const heads = headRows(height);
	const head: RowView[] = heads === 0 ? [] : [{ key: "heads", line: drawHeads(width), selected: false }];
	const items = trash.items.slice(top, top + height - heads).map((item, index): RowView => {
		const selected = top + index === cursor;
		const marked = trash.marks.marked.has(item.key);
		const line = drawItem(item, { width, selected, marked, rows: trash.rows, home: environment.home, now });
		return { key: item.key, line, selected };
	});
	return [...head, ...items];
}

function nothing({ trash }: State, box: Box): RowView[] {
	const empty =
		"There is no session in the trash. What is deleted here goes to the system's trash, which is emptied there.";
	const text = trash.error ?? (trash.complete ? empty : "Looking …");
	return noticeRows(text, trash.error === undefined ? "muted" : "error", box);
}
