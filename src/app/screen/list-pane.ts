import { type Box, inner } from "../layout.ts";
import { drawSessionRow } from "../list/draw-row.ts";
import { type SessionList, selectList } from "../list/select-list.ts";
import type { State } from "../state.ts";
import { formatCount } from "../text/format.ts";
import { cutText } from "../text/width.ts";
import type { PaneView, RowView } from "../view.ts";

/** The list of sessions, the rows in sight. */
export function selectListPane(state: State, box: Box): PaneView {
	const list = selectList(state);
	const { index, top } = state.list;
	const count = list.rows.length;
	return {
		id: "list",
		...box,
		title: [{ text: "sessions" }],
		position: count === 0 ? "" : `${formatCount(index + 1)}/${formatCount(count)}`,
		focused: state.focus === "list",
		rows: count === 0 ? [nothing(state, list, inner(box).width)] : visibleRows(state, list, top, box),
	};
}

function visibleRows(state: State, list: SessionList, top: number, box: Box): RowView[] {
	const { width, height } = inner(box);
	const { home } = state.surroundings;
	return list.rows.slice(top, top + height).map((threaded) => {
		const selected = threaded.row.path === state.list.selected;
		const line = drawSessionRow(threaded, { width, selected, showPath: state.list.showPath, home, now: state.now });
		return { key: threaded.row.path, line, selected };
	});
}

/** Why the list is empty: still reading, nothing there, or a filter, and which key undoes it. */
function nothing(state: State, { total, query }: SessionList, width: number): RowView {
	return {
		key: "nothing",
		line: [{ text: cutText(` ${reason(state, total, query.kind)}`, width), tone: "muted" }],
		selected: false,
	};
}

function reason({ catalog, list }: State, total: number, query: string): string {
	if (total === 0) return catalog.complete ? "No sessions yet: run pi, and they appear here" : "Reading sessions …";
	if (query === "invalid") return "The pattern is not valid; see above";
	if (query !== "none") return "No session matches: esc clears the filter";
	if (list.namedOnly) return "No named sessions: ctrl+n shows all";
	return "No sessions in this scope: tab changes it";
}
