import { shownEnding } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import type { Term } from "../../../catalog/query/term.ts";
import { briefUse } from "../../../changes/guard/guard-words.ts";
import { drawSnippet, titleTerms } from "../../../conversation/entries/draw-snippet.ts";
import { projectKey } from "../../../shared/paths.ts";
import { originalOf } from "../../../store/files/conflict-copy.ts";
import { filterTitle } from "../../../ui/pane-title.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { inRow, type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, lineWidth, padText, textWidth } from "../../../ui/text/width.ts";
import type { Box, RowView } from "../../../ui/view.ts";
import { factsOfRun, familiesOf, familyDollars, lastActive, runCounts, runSources } from "../../world/list/families.ts";
import { goneSigned } from "../../world/list/gone-directories.ts";
import { type Heading, isHeading, type ListItem } from "../../world/list/headings.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { headRows, isForkOfDeleted, listColumns, rowHeight } from "../../world/list/list-view.ts";
import { projectSums } from "../../world/list/listed-sum.ts";
import { projectNames } from "../../world/list/projects.ts";
import { orderInUse, type SessionList, selectList } from "../../world/list/select-list.ts";
import { offerLines } from "../../world/list/select-offers.ts";
import { stalePlaces } from "../../world/list/select-places.ts";
import { firstSaved, savedChoices, savedHeight } from "../../world/list/select-saved.ts";
import type { RowDrawing } from "../../world/page/define-rows.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import { isOpenInHost } from "../../world/state/catalog-state.ts";
import { orderLabel } from "../../world/state/list-columns.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { ALTERNATIVES, hasAlternatives } from "./alternative-rows.ts";
import { chipsOf, drawChips } from "./chips.ts";
import { drawColumnHeads, drawFileHeads, drawHeading } from "./draw-headings.ts";
import { placeRows } from "./draw-places.ts";
import { drawSessionRow } from "./draw-row.ts";
import { listNotes } from "./list-notes.ts";

/** The search of the list, for the header: its chips, what is typed, and how the search goes. */
export function listSearch(state: State, room: number): ReturnType<typeof filterTitle> {
	const chips = drawChips(chipsOf(state));
	const { query } = state.list;
	return filterTitle({ name: [], chips, query, hint: "type to search", notes: listNotes(state), focused: true }, room);
}

/** The pane of the list; above the sessions: saved queries, failed places and the heads of the columns. */
export function withTitle(state: State, pane: AppPane): AppPane {
	const box = layoutFor(state).list ?? pane;
	return {
		...pane,
		...box,
		title: [],
		focused: true,
		rows: [
			...savedRows(state, box.width),
			...offerRows(state, box),
			...placeRows(state, box.width),
			...heads(state, box),
			...(hasAlternatives(state) ? (ALTERNATIVES.pane(state)?.rows ?? []) : pane.rows),
		],
	};
}

/** "12/1,204": the number of the session under the cursor, or below the heading there, and the number of all sessions. */
export function positionOf(state: State, items: readonly ListItem[], index: number): string {
	const { rows } = selectList(state);
	if (items.length === 0) return "";
	const sessionsIn = (item: ListItem): number => (!isHeading(item) ? 1 : item.isFolded ? item.count : 0);
	const number =
		items === rows ? index + 1 : items.slice(0, index).reduce((above, item) => above + sessionsIn(item), 1);
	return `${formatCount(number)}/${formatCount(rows.length)}`;
}

/** "newest ▾  all ▾": the order of the list, where there is room for it, and its scope; a click changes them. */
export function listSettings(state: State, isOrdered: boolean): Line {
	const sort: Span = { ...span(`${orderLabel(orderInUse(state))} ▾`, "muted"), press: "sort" };
	const scope: Span = {
		...span(`${state.list.stage === undefined ? state.list.scope : "marked"} ▾`, "muted"),
		press: "show",
	};
	return inRow(isOrdered ? [sort, scope] : [scope]);
}

function offerRows(state: State, box: Box): RowView[] {
	return offerLines(state, box).map((line, index) => ({ key: `offers ${index}`, line, selected: false }));
}

/** The heads of the columns; before them, the project of the first row, if its heading is scrolled out. */
function heads(state: State, box: Box): RowView[] {
	const list = selectList(state);
	if (list.items.length === 0 || headRows(state, box) === 0) return [];
	const { environment } = state;
	const columns = listColumns(state, box.width);
	const heading = headingAbove(list, state.list.top);
	const title: Line =
		heading === undefined
			? [{ ...span("  title", orderInUse(state).sort === "title" ? "accent" : "muted"), press: "sort-title" }]
			: drawHeading(heading, {
					...{ width: box.width, selected: false, home: environment.home, cwd: environment.cwd },
					...{ sums: projectSums(state), now: state.now },
				});
	const draw = state.list.showPath ? drawFileHeads : drawColumnHeads;
	return [{ key: "heads", line: draw(title, columns, orderInUse(state), box.width), selected: false }];
}

/** The heading above the session at an index; undefined if the list is not grouped by project. */
function headingAbove({ items, byProject }: SessionList, index: number): Heading | undefined {
	if (!byProject || items[index] === undefined || isHeading(items[index])) return undefined;
	for (let at = index - 1; at >= 0; at--) {
		const item = items[at];
		if (isHeading(item) && item.isGap !== true) return item;
	}
	return undefined;
}

/** A function that draws one row; what all rows need is computed once. */
export function drawItem(state: State): (item: ListItem, drawing: RowDrawing) => Line {
	const { catalog, environment, now } = state;
	const { home, cwd, root } = environment;
	const { showPath } = state.list;
	const { searching, unmatched, byProject } = selectList(state);
	const { terms } = searchOf(state).query;
	const projects = projectNames(catalog.rows);
	const { counts, live } = catalog;
	const families = familiesOf(catalog.rows);
	const facts = { counts, live: live.sessions, marks: state.marks, now: startOfDay(now), runs: families.runs };
	const sources = runSources(catalog);
	const stale = stalePlaces(state);
	const directories = goneSigned(state);
	const width = layoutFor(state).list?.width ?? 0;
	const columns = listColumns(state, width);
	const isInList = state.saved.index === undefined;
	const sums = byProject ? projectSums(state) : undefined;
	return (item, { selected: isUnderCursor, marked }) => {
		const selected = isUnderCursor && isInList;
		if (isHeading(item)) return drawHeading(item, { width, selected, home, cwd, sums, now });
		const { row, key } = item;
		return drawSessionRow(item, {
			width,
			indent: byProject ? PROJECT_INDENT : 0,
			columns,
			selected,
			marked,
			use: briefUse(live.sessions.get(key) ?? [], now)?.sign,
			marks: state.marks,
			isOpenHere: isOpenInHost(state, key),
			isUnmatched: unmatched.has(key),
			isStale: row.place !== undefined && stale.has(row.place),
			run: row.run && factsOfRun(row, sources),
			runs: runCounts(row, sources),
			isForkOfDeleted: isForkOfDeleted(row, state),
			isGone: row.place === undefined && directories.has(row.cwd),
			isConflictCopy: originalOf(key, (path) => catalog.rows.has(path)) !== undefined,
			terms: searching ? titleTerms(terms) : NO_TERMS,
			ending: shownEnding(row, facts),
			showPath,
			home,
			root,
			now,
			projects,
			counts: counts.get(key),
			cost: familyDollars(row, families, counts),
			activeMs: lastActive(row, families),
			familyMs: item.latest,
			isHere: projectKey(row.cwd) === projectKey(cwd),
			git: state.git.branches.get(row.cwd),
		});
	};
}

/** All screen rows of an item: where each has two, the best hit stands below a session, and a blank row above a heading. */
export function wholeItem(state: State): (item: ListItem, view: RowView) => readonly RowView[] {
	const { home } = state.environment;
	const { results, query } = searchOf(state);
	const width = layoutFor(state).list?.width ?? 0;
	const isHigh = rowHeight(state) === 2;
	const isInList = state.saved.index === undefined;
	return (item, drawn) => {
		// While the cursor is among the saved queries, the one of the list is only hinted at.
		const view: RowView = isInList || !drawn.selected ? drawn : { ...drawn, selected: false, ground: "cursor-beside" };
		if (!isHigh) return [view];
		const { key } = item;
		if (isHeading(item)) return [{ key: `${key} above`, line: [], selected: false }, view];
		const line = drawSnippet(results.get(key), width, { row: item.row, home, terms: query.terms });
		return [view, { ...view, key: `${key} found`, line }];
	};
}

const PROJECT_INDENT = 2;
const NO_TERMS: readonly Term[] = [];
const MAX_NAME_WIDTH = 40;

/** The saved queries above the list, each with its name and text, and the recent ones. */
function savedRows(state: State, width: number): RowView[] {
	const all = savedChoices(state);
	const height = savedHeight(state);
	const first = firstSaved(state);
	const names = all.map(({ name }) => cutText(sanitizeLine(name), Math.min(MAX_NAME_WIDTH, Math.floor(width / 2))));
	const column = Math.max(0, ...names.slice(first, first + height).map(textWidth));
	return all.slice(first, first + height).map(({ name, text }, at): RowView => {
		const selected = first + at === state.saved.index;
		const line: Line = [
			span(selected ? "›" : " ", "accent"),
			...(name === ""
				? [span("↑ ", "muted"), span(sanitizeLine(text))]
				: [
						span(": ", "accent"),
						span(padText(names[first + at] ?? sanitizeLine(name), column)),
						span(`  ${sanitizeLine(text)}`, "muted"),
					]),
		];
		// If they do not all fit, the first row says so.
		const isCut = at === 0 && all.length > height;
		const note: Line = isCut ? [span(` ${formatCount(height)} of ${formatCount(all.length)} `, "muted")] : [];
		return {
			key: name === "" ? `recent ${text}` : `saved ${name}`,
			line: joinEnds(line, note, Math.max(lineWidth(note), width)),
			selected,
		};
	});
}
