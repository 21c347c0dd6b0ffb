import type { SessionRow } from "../../catalog/model/row.ts";
import type { SearchResult } from "../../catalog/search/search.ts";
import { drawSessionRow } from "../list/draw-row.ts";
import { drawSnippet } from "../list/draw-snippet.ts";
import { listCapacity } from "../list/list-view.ts";
import { isSearched, queryProblem, type SessionList, selectList } from "../list/select-list.ts";
import { inner } from "../model/layout.ts";
import type { State } from "../model/state.ts";
import type { Box, PaneView, RowView } from "../model/view.ts";
import { formatCount, shortenHome } from "../text/format.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { cutText } from "../text/width.ts";

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
	const { width } = inner(box);
	const { home } = state.environment;
	return list.rows.slice(top, top + listCapacity(state)).flatMap((threaded) => {
		const { path } = threaded.row;
		const selected = path === state.list.selected;
		const live = state.catalog.live.has(path);
		const { showPath } = state.list;
		const line = drawSessionRow(threaded, { width, selected, live, showPath, home, now: state.now });
		const title: RowView = { key: path, line, selected };
		if (!list.searching) return [title];
		const result = state.list.search.results.get(path);
		return [
			title,
			{ key: `${path} found`, line: drawSnippet(result, width, repeatsTitle(threaded.row, result)), selected },
		];
	});
}

/** Whether the best hit is in the text that is the row's title. */
function repeatsTitle({ name }: SessionRow, result: SearchResult | undefined): boolean {
	const kind = result?.best.kind;
	return kind === "name" || (kind === "title" && name === undefined);
}

/** Why the list is empty, and which key changes that. */
function nothing(state: State, { total }: SessionList, width: number): RowView {
	return {
		key: "nothing",
		line: [{ text: cutText(` ${reason(state, total)}`, width), tone: "muted" }],
		selected: false,
	};
}

function reason(state: State, total: number): string {
	const { catalog, list, environment } = state;
	if (total === 0 && !catalog.complete) return "Reading sessions …";
	if (total === 0) {
		const { root, home } = environment;
		const mistake = catalog.problems.find(({ path }) => path === root)?.message;
		const place = root === undefined ? "yet" : `in ${shortenHome(root, home)}`;
		return sanitizeLine(mistake ?? `No sessions ${place}: run pi, and they appear here`);
	}
	if (queryProblem(state) !== undefined) return "This filter cannot be used; see above";
	if (list.search.query.text !== "")
		return isSearched(state) ? "No session matches: esc clears the filter" : "Nothing found yet; searching …";
	if (list.namedOnly) return "No named sessions: ctrl+n shows all";
	return "No sessions in this scope: tab changes it";
}
