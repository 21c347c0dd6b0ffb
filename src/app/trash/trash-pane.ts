import type { State } from "../model/state.ts";
import type { Box, Line, PaneView, RowView } from "../model/view.ts";
import { formatCount, formatCounted, formatSize } from "../text/format.ts";
import { cleanText, sanitizeLine } from "../text/sanitize.ts";
import { span, strong } from "../text/span.ts";
import { wrapText } from "../text/wrap.ts";
import { drawHeads, drawItem } from "./draw-item.ts";
import { trashCursor } from "./trash-items.ts";
import { headRows, trashLayout } from "./trash-layout.ts";

/** What was deleted: the items in sight. */
export function selectTrashPane(state: State): PaneView {
	const { list } = trashLayout(state.size);
	const { trash } = state;
	const count = trash.items.length;
	return {
		id: "list",
		...list,
		title: [strong("trash", "accent"), ...markedNote(state)],
		settings: notes(state),
		position: cleanText(count === 0 ? "" : `${formatCount(trashCursor(trash) + 1)}/${formatCount(count)}`),
		focused: true,
		rows: count === 0 ? nothing(state, list) : itemRows(state, list),
	};
}

function markedNote({ trash }: State): Line {
	return trash.marked.size === 0 ? [] : [span(` ${formatCounted(trash.marked.size, "marked", "marked")}`, "current")];
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
	const cursor = trashCursor(trash);
	const heads = headRows(height);
	const head: RowView[] = heads === 0 ? [] : [{ key: "heads", line: drawHeads(width), selected: false }];
	const items = trash.items.slice(trash.top, trash.top + height - heads).map((item, index): RowView => {
		const selected = trash.top + index === cursor;
		const marked = trash.marked.has(item.key);
		const line = drawItem(item, { width, selected, marked, rows: trash.rows, home: environment.home, now });
		return { key: item.key, line, selected };
	});
	return [...head, ...items];
}

function nothing({ trash }: State, { width, height }: Box): RowView[] {
	const empty =
		"There is no session in the trash. What is deleted here goes to the system's trash, which is emptied there.";
	const text = trash.error ?? (trash.complete ? empty : "Looking …");
	return wrapText(sanitizeLine(text), width - 2)
		.slice(0, height)
		.map((line, index) => ({
			key: `nothing ${index}`,
			line: [span(` ${line}`, trash.error === undefined ? "muted" : "error")],
			selected: false,
		}));
}
