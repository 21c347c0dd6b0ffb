import type { SessionRow } from "../../catalog/model/row.ts";
import type { SearchResult } from "../../catalog/search/search.ts";
import { drawSessionRow } from "../list/draw-row.ts";
import { drawSnippet } from "../list/draw-snippet.ts";
import { listCapacity, rowHeight } from "../list/list-view.ts";
import { scopesOf } from "../list/scope.ts";
import { type SessionList, selectList } from "../list/select-list.ts";
import { SORT_LABELS, sortInUse } from "../list/sort-labels.ts";
import type { Scope, State } from "../model/state.ts";
import type { Box, Line, PaneView, RowView, Span } from "../model/view.ts";
import { briefUse } from "../text/describe-use.ts";
import { formatCount } from "../text/format.ts";
import { cleanText, sanitizeLine } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { wrapText } from "../text/wrap.ts";
import { isForkOfDeleted } from "../trash/gone-parents.ts";
import { choice, inRow } from "./choice.ts";
import { listNotes } from "./filter-notes.ts";
import { filterTitle, paneName } from "./filter-title.ts";
import { whyListIsEmpty } from "./nothing-found.ts";
import { savedRows } from "./saved-rows.ts";
import { titleRoom } from "./title-rule.ts";

/** The list of sessions, the rows in sight. */
export function selectListPane(state: State, box: Box): PaneView {
	const list = selectList(state);
	const { index, top, query, stage } = state.list;
	const count = list.rows.length;
	const focused = state.focus === "list";
	const position = cleanText(count === 0 ? "" : `${formatCount(index + 1)}/${formatCount(count)}`);
	const typed = {
		name: paneName(stage === undefined ? "sessions" : "marked", focused),
		query,
		hint: stage === undefined ? "type to search" : "type to search in what is marked",
		notes: listNotes(state),
		focused,
	};
	return {
		id: "list",
		...box,
		...filterTitle(typed, titleRoom(box, position)),
		settings: listSettings(state),
		position,
		focused,
		rows: [
			...savedRows(state, box.width),
			...(count === 0 ? nothing(state, list, box) : visibleRows(state, list, top, box)),
		],
	};
}

/** Order, scope and filter of the list, the longest form first; a click changes them. */
function listSettings(state: State): Line[] {
	const { list } = state;
	if (list.stage !== undefined) return [inRow([sortOf(list), choice("only marked", true, "stage")])];
	const scope = (name: Scope): Span => choice(name, name === list.scope, `scope-${name}`);
	const scopes = scopesOf(state).map(scope);
	const sort = sortOf(list);
	const named = choice("named", list.namedOnly, "named");
	const chosen = [...(list.namedOnly ? [named] : []), scope(list.scope)];
	return [inRow([sort, ...scopes, named]), inRow([sort, ...chosen]), inRow(chosen)];
}

function sortOf(list: State["list"]): Span {
	return { ...span(SORT_LABELS[sortInUse(list)].toLowerCase(), "muted"), press: "sort" };
}

function visibleRows(state: State, list: SessionList, top: number, box: Box): RowView[] {
	const { width } = box;
	const { home } = state.environment;
	return list.rows.slice(top, top + listCapacity(state)).flatMap((threaded) => {
		const { path } = threaded.row;
		const selected = path === state.list.selected;
		const use = briefUse(state.catalog.live.sessions.get(path) ?? [], state.now)?.sign;
		const { showPath } = state.list;
		const line = drawSessionRow(threaded, {
			width,
			selected,
			marked: state.list.marked.has(path),
			use,
			marks: state.marks,
			isForkOfDeleted: isForkOfDeleted(threaded.row, state),
			showPath,
			home,
			now: state.now,
		});
		const title: RowView = { key: path, line, selected };
		if (rowHeight(state) === 1) return [title];
		const result = state.list.search.results.get(path);
		return [
			title,
			{ key: `${path} found`, line: drawSnippet(result, width, repeatsTitle(threaded.row, result)), selected },
		];
	});
}

/** Whether the best hit is in the text that is the row's title, near its beginning, where the row shows it. */
function repeatsTitle({ name }: SessionRow, result: SearchResult | undefined): boolean {
	const { kind, snippet } = result?.best ?? {};
	const isTitle = kind === "name" || (kind === "title" && name === undefined);
	return isTitle && !snippet?.text.startsWith("…");
}

/** Why the list is empty, on as many rows as it takes. */
function nothing(state: State, { total }: SessionList, box: Box): RowView[] {
	const { width, height } = box;
	return wrapText(sanitizeLine(whyListIsEmpty(state, total)), width - 2)
		.slice(0, height)
		.map((line, index) => ({ key: `nothing ${index}`, line: [span(` ${line}`, "muted")], selected: false }));
}
