import { rowAtCursor } from "../../../ui/page/page-cursor.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import type { Box, Line, RowView } from "../../../ui/view.ts";
import { definePage } from "../../world/page/define-page.ts";
import type { AppPane, State } from "../../world/state.ts";
import { drawGroup, drawHeads } from "./draw-group.ts";
import { groupsToMark, movedGroups, type SessionGroup, unfound, unlooked } from "./gone-groups.ts";
import { detailRows } from "./moved-detail.ts";
import { syncMoved, withMoved } from "./reconcile-moved.ts";

/** The directories that are gone, and what would become of the sessions of the one under the cursor. */
export const MOVED_PAGE = definePage<SessionGroup>({
	kind: "moved",
	name: "moved projects",
	rows: movedGroups,
	heads: (_, width) => drawHeads(width),
	draw: (state) => (group, drawing) => drawGroup(state, group, drawing),
	notes,
	nothing: (state) => [
		unlooked(state).length > 0 || !state.catalog.complete
			? "Looking …"
			: "The directories of all sessions are there: nothing has moved.",
	],
	second: detailPane,
	// Another directory begins at the top.
	moved: (next, _, before) => (next.moved.cursor.selected === groupKey(before) ? next : withMoved(next, { top: 0 })),
	marking: {
		of: ({ moved }) => moved.marks,
		withMarks: (state, marks) => withMoved(state, { marks }),
		all: groupsToMark,
		what: ["directory", "directories"],
	},
	sync: (state) => syncMoved(state, true),
	whileClosed: (state) => syncMoved(state, false),
});

function groupKey(state: State): string | undefined {
	return rowAtCursor(state.moved.cursor, movedGroups(state))?.key;
}

/** How far the looking is, and what of it failed. */
function notes(state: State): readonly Line[] {
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
