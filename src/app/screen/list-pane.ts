import type { SessionRow } from "../../catalog/model/row.ts";
import type { SearchResult } from "../../catalog/search/search.ts";
import type { PlacedColumn } from "../list/columns.ts";
import { drawHeading, headingText } from "../list/draw-heading.ts";
import { drawHeads, drawPathHeads } from "../list/draw-heads.ts";
import { drawSessionRow } from "../list/draw-row.ts";
import { drawSnippet } from "../list/draw-snippet.ts";
import { isHeading, keyOf } from "../list/headings.ts";
import { orderLabel } from "../list/list-order.ts";
import { hasHeadings, headRows, listCapacity, listColumns, rowHeight } from "../list/list-view.ts";
import { projectNames } from "../list/project-names.ts";
import { type Scope, scopesOf } from "../list/scope.ts";
import { orderInUse, type SessionList, selectList } from "../list/select-list.ts";
import { savedHeight } from "../list/select-saved.ts";
import type { State } from "../model/state.ts";
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
	const { index, query, stage } = state.list;
	const count = list.items.length;
	const focused = state.focus === "list";
	const position = cleanText(
		count === 0 ? "" : `${formatCount(placeAmong(list, index))}/${formatCount(list.rows.length)}`,
	);
	const typed = {
		name: paneName(stage === undefined ? "sessions" : "marked", focused),
		query,
		hint: stage === undefined ? "type to search" : "type to search in what is marked",
		notes: listNotes(state),
		focused,
	};
	const columns = listColumns(state, box.width);
	return {
		id: "list",
		...box,
		...filterTitle(typed, titleRoom(box, position)),
		settings: listSettings(state),
		position,
		focused,
		rows: [
			...savedRows(state, box.width),
			...(count === 0
				? nothing(state, list, box)
				: [...head(state, list, columns, box), ...visibleRows(state, list, columns, box)]),
		],
	};
}

/** The number of the session under the cursor; on a heading, that of the first session below it. */
function placeAmong({ items, rows }: SessionList, index: number): number {
	if (items === rows) return index + 1;
	const above = items.slice(0, index).reduce((sum, item) => {
		if (isHeading(item)) return sum + (item.isFolded ? item.count : 0);
		return sum + 1;
	}, 0);
	return above + 1;
}

/** Order, scope and filter of the list, the longest form first; a click changes them. */
function listSettings(state: State): Line[] {
	const { list } = state;
	const sort: Span = { ...span(orderLabel(orderInUse(state)), "muted"), press: "sort" };
	if (list.stage !== undefined) return [inRow([sort, choice("only marked", true, "stage")])];
	const scope = (name: Scope): Span => {
		const text = name === "project" ? projectName(state) : name;
		return choice(text, name === list.scope, name === "project" ? "only-project" : `scope-${name}`);
	};
	const scopes = scopesOf(state).map(scope);
	const named = choice("named", list.namedOnly, "named");
	const chosen = [...(list.namedOnly ? [named] : []), scope(list.scope)];
	return [inRow([sort, ...scopes, named]), inRow([sort, ...chosen]), inRow(chosen)];
}

/** Name of the project that the list is narrowed to. */
function projectName({ list: { project }, catalog }: State): string {
	return projectNames(catalog.rows).names.get(project)?.text ?? "project";
}

/** What the columns are; in front, the project of the first row, when its heading is further up. */
function head(state: State, { items }: SessionList, columns: readonly PlacedColumn[], box: Box): RowView[] {
	if (headRows(box) === 0) return [];
	const { catalog, environment, list } = state;
	const first = items[list.top];
	const above = first !== undefined && !isHeading(first) && hasHeadings(state) ? first.row.cwd : undefined;
	const heading = above === undefined ? undefined : items.slice(0, list.top).findLast(isHeading);
	const title: Line =
		heading === undefined
			? [{ ...span("  title", orderInUse(state).sort === "title" ? "accent" : "muted"), press: "sort-title" }]
			: [span("  "), ...headingText(heading, projectNames(catalog.rows), environment.home, environment.cwd)];
	const draw = list.showPath ? drawPathHeads : drawHeads;
	return [{ key: "heads", line: draw(title, columns, orderInUse(state), box.width), selected: false }];
}

function visibleRows(state: State, list: SessionList, columns: readonly PlacedColumn[], { width }: Box): RowView[] {
	const { catalog, environment, places, now } = state;
	const { home, cwd, root } = environment;
	const { top, showPath, selected: cursor, search } = state.list;
	const height = rowHeight(state);
	const projects = projectNames(catalog.rows);
	return list.items.slice(top, top + listCapacity(state)).flatMap((item): RowView[] => {
		const key = keyOf(item);
		const selected = key === cursor && state.saved.index === undefined;
		// Among the saved queries the list keeps its place, and its cursor is where nothing is meant.
		const ground = key === cursor && !selected ? { ground: "cursor-beside" as const } : {};
		if (isHeading(item)) {
			const row = { key, line: drawHeading(item, { width, selected, projects, home, cwd }), selected, ...ground };
			return height === 1 ? [row] : [{ key: `${key} above`, line: [], selected: false }, row];
		}
		const { row } = item;
		const line = drawSessionRow(item, {
			width,
			columns,
			selected,
			marked: state.list.marked.has(key),
			use: briefUse(catalog.live.sessions.get(key) ?? [], now)?.sign,
			marks: state.marks,
			isForkOfDeleted: isForkOfDeleted(row, state),
			showPath,
			home,
			root,
			now,
			projects,
			counts: catalog.counts.get(key),
			isHere: row.cwd === cwd,
			git: places.branches.get(row.cwd),
		});
		const title: RowView = { key, line, selected, ...ground };
		if (height === 1) return [title];
		const result = search.results.get(key);
		const snippet = drawSnippet(result, width, repeatsTitle(row, result));
		return [title, { key: `${key} found`, line: snippet, selected, ...ground }];
	});
}

/** Whether the best hit is in the text that is the row's title, near its beginning, where the row shows it. */
function repeatsTitle({ name, prompt }: SessionRow, result: SearchResult | undefined): boolean {
	const { kind, snippet } = result?.best ?? {};
	const isTitle = kind === "name" || (kind === "title" && name === undefined && prompt === undefined);
	return isTitle && !snippet?.text.startsWith("…");
}

/** Why the list is empty, on as many rows as it takes. */
function nothing(state: State, { total }: SessionList, box: Box): RowView[] {
	const { width, height } = box;
	return wrapText(sanitizeLine(whyListIsEmpty(state, total)), width - 2)
		.slice(0, height - savedHeight(state))
		.map((line, index) => ({ key: `nothing ${index}`, line: [span(` ${line}`, "muted")], selected: false }));
}
