import { noticeRows } from "../../ui/page/notice-rows.ts";
import { cursorIndex, rowAtCursor } from "../../ui/page/page-cursor.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { cleanText } from "../../ui/text/sanitize.ts";
import { span, strong } from "../../ui/text/span.ts";
import type { Box, Line, RowView } from "../../ui/view.ts";
import type { AppPane, State } from "../model/state.ts";
import { headRows, layoutWithPreview } from "../page/page-layout.ts";
import { drawGroup, drawHeads } from "./draw-group.ts";
import { movedGroups, unfound, unlooked } from "./gone-groups.ts";
import { detailRows } from "./moved-detail.ts";

/** The page of directories that are gone, and what would become of the sessions of the one under the cursor. */
export function selectMovedPage(state: State): AppPane[] {
	const { list, second } = layoutWithPreview(state.size);
	const groups = movedGroups(state);
	const { cursor, marks } = state.moved;
	const pane: AppPane = {
		id: "list",
		...list,
		title: [strong("moved projects", "accent"), ...markedNote(marks.marked.size)],
		settings: notes(state),
		position: cleanText(
			groups.length === 0 ? "" : `${formatCount(cursorIndex(cursor, groups) + 1)}/${formatCount(groups.length)}`,
		),
		focused: true,
		rows: groups.length === 0 ? nothing(state, list) : groupRows(state, list),
	};
	return second === undefined ? [pane] : [pane, detailPane(state, second)];
}

function markedNote(count: number): Line {
	return count === 0 ? [] : [span(` ${formatCounted(count, "marked", "marked")}`, "current")];
}

/** How far the looking is, and what of it failed. */
function notes(state: State): Line[] {
	const { moved } = state;
	const left = unlooked(state).length;
	if (left > 0) return [[span(`looking at ${formatCounted(left, "directory", "directories")} …`, "muted")]];
	const groups = movedGroups(state);
	const sought = unfound(state).length;
	if (sought > 0) return [[span(`looking for ${formatCounted(sought, "new place")} …`, "muted")]];
	const unknown = groups.filter(({ key }) => moved.fates.get(key)?.kind === "unknown").length;
	const sessions = groups.reduce((sum, { rows }) => sum + rows.length, 0);
	if (unknown === 0) return [[span(`${formatCounted(sessions, "session")} in all`, "muted")]];
	return [[span(`${formatCount(unknown)} could not be looked at`, "warning")]];
}

function groupRows(state: State, { width, height }: Box): RowView[] {
	const groups = movedGroups(state);
	const { cursor, marks } = state.moved;
	const at = cursorIndex(cursor, groups);
	const heads = headRows(height);
	const head: RowView[] = heads === 0 ? [] : [{ key: "heads", line: drawHeads(width), selected: false }];
	const rows = groups.slice(cursor.top, cursor.top + height - heads).map((group, index): RowView => {
		const selected = cursor.top + index === at;
		const line = drawGroup(state, group, { width, selected, marked: marks.marked.has(group.key) });
		return { key: group.key, line, selected };
	});
	return [...head, ...rows];
}

function nothing(state: State, box: Box): RowView[] {
	const isLooking = unlooked(state).length > 0 || !state.catalog.complete;
	const text = isLooking ? "Looking …" : "The directories of all sessions are there: nothing has moved.";
	return noticeRows(text, "muted", box);
}

function detailPane(state: State, box: Box): AppPane {
	const group = rowAtCursor(state.moved.cursor, movedGroups(state));
	const pane = { id: "reader", ...box, title: [span("its sessions")], settings: [], focused: false } as const;
	if (group === undefined) return { ...pane, position: cleanText(""), rows: [] };
	const lines = detailRows(state, group, box.width - 1);
	const top = Math.max(0, Math.min(state.moved.top, lines.length - box.height));
	const rows = Array.from({ length: Math.min(box.height, lines.length) }, (_, index): RowView => {
		return { key: String(index), line: [span(" "), ...lines.at(top + index)], selected: false };
	});
	const bottom = top + rows.length;
	const position = bottom < lines.length || top > 0 ? `${formatCount(bottom)}/${formatCount(lines.length)}` : "";
	return { ...pane, position: cleanText(position), rows };
}
