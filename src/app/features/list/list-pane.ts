import type { Ending } from "../../../catalog/model/ending.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { isWaiting } from "../../../catalog/query/conditions.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import type { Term } from "../../../catalog/query/parse-query.ts";
import { briefUse } from "../../../changes/guard/guard-words.ts";
import { drawSnippet, titleTerms } from "../../../conversation/entries/draw-snippet.ts";
import { originalOf } from "../../../store/files/conflict-copy.ts";
import { projectKey } from "../../../store/files/paths.ts";
import { noticeRows } from "../../../ui/page/page-rows.ts";
import { filterTitle, paneName, titleRoom } from "../../../ui/pane-title.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { choice, inRow, type Line, type Span, span } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, lineWidth, padText, textWidth } from "../../../ui/text/width.ts";
import type { Box, RowView } from "../../../ui/view.ts";
import { factsOfRun, familiesOf, familyDollars, lastActive, runCounts, runSources } from "../../world/list/families.ts";
import { type Heading, isHeading, keyOf, type ListItem } from "../../world/list/headings.ts";
import {
	headRows,
	isForkOfDeleted,
	listCapacity,
	listColumns,
	rowHeight,
	rowTitleCells,
} from "../../world/list/list-view.ts";
import { projectNames } from "../../world/list/projects.ts";
import { isWide, scopesOf } from "../../world/list/scope.ts";
import { orderInUse, type SessionList, selectList } from "../../world/list/select-list.ts";
import { placesHeight, stalePlaces } from "../../world/list/select-places.ts";
import { firstSaved, savedChoices, savedHeight } from "../../world/list/select-saved.ts";
import { isOpenInHost } from "../../world/state/catalog-state.ts";
import { orderLabel, type PlacedColumn } from "../../world/state/list-columns.ts";
import type { Scope } from "../../world/state/list-state.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { chipsOf, drawChips } from "./chips.ts";
import { drawColumnHeads, drawFileHeads, drawHeading, headingText } from "./draw-headings.ts";
import { placeRows } from "./draw-places.ts";
import { drawSessionRow } from "./draw-row.ts";
import { listNotes } from "./list-notes.ts";
import { whyListIsEmpty } from "./nothing-found.ts";
import { searchOf } from "../../world/list/list-search.ts";

export function selectListPane(state: State, box: Box): AppPane {
	const list = selectList(state);
	const { index, query } = state.list;
	const count = list.items.length;
	const focused = state.focus === "list";
	const position = cleanText(
		count === 0 ? "" : `${formatCount(positionOf(list, index))}/${formatCount(list.rows.length)}`,
	);
	const typed = {
		name: paneName("sessions", focused),
		chips: drawChips(chipsOf(state)),
		query,
		hint: "type to search",
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
			...placeRows(state, box.width),
			...(count === 0
				? emptyRows(state, list, box)
				: [...head(state, list, columns, box), ...visibleRows(state, list, columns, box)]),
		],
	};
}

/** The number of the session under the cursor; on a heading, of the first session below it. */
function positionOf({ items, rows }: SessionList, index: number): number {
	if (items === rows) return index + 1;
	const sessionsIn = (item: ListItem): number => (!isHeading(item) ? 1 : item.isFolded ? item.count : 0);
	return items.slice(0, index).reduce((above, item) => above + sessionsIn(item), 1);
}

/** Order, scope and filter of the list, the longest form first. A click changes them. */
function listSettings(state: State): Line[] {
	const { list } = state;
	const sort: Span = { ...span(orderLabel(orderInUse(state)), "muted"), press: "sort" };
	if (list.stage !== undefined) return [[sort]];
	// A single project is a chip; it is chosen from all of them.
	const scopes = scopesOf(state).filter((name) => name !== "project");
	const scope = (name: Scope): Span => choice(name, name === list.scope, `scope-${name}`);
	// A chip names every other scope, so that this may be left out where there is no room.
	const chosen = isWide(list.scope) ? [[sort, scope(list.scope)], [scope(list.scope)]] : [[sort]];
	return [[sort, ...scopes.map(scope)], ...chosen].map((spans) => inRow(spans));
}

/** The heads of the columns; before them, the project of the first row, if its heading is scrolled out. */
function head(state: State, list: SessionList, columns: readonly PlacedColumn[], box: Box): RowView[] {
	if (headRows(box) === 0) return [];
	const { catalog, environment } = state;
	const heading = headingAbove(list, state.list.top);
	const title: Line =
		heading === undefined
			? [{ ...span("  title", orderInUse(state).sort === "title" ? "accent" : "muted"), press: "sort-title" }]
			: [span("  "), ...headingText(heading, projectNames(catalog.rows), environment.home, environment.cwd)];
	const draw = state.list.showPath ? drawFileHeads : drawColumnHeads;
	return [{ key: "heads", line: draw(title, columns, orderInUse(state), box.width), selected: false }];
}

/** The heading above the session at an index; undefined if the list is not grouped by project. */
function headingAbove({ items, byProject }: SessionList, index: number): Heading | undefined {
	if (!byProject || items[index] === undefined || isHeading(items[index])) return undefined;
	for (let at = index - 1; at >= 0; at--) {
		const item = items[at];
		if (isHeading(item)) return item;
	}
	return undefined;
}

function visibleRows(state: State, list: SessionList, columns: readonly PlacedColumn[], { width }: Box): RowView[] {
	const { catalog, environment, now } = state;
	const { home, cwd, root } = environment;
	const { top, showPath, selected: cursor } = state.list;
	const search = searchOf(state);
	const height = rowHeight(state);
	const projects = projectNames(catalog.rows);
	const { counts, live } = catalog;
	const families = familiesOf(catalog.rows);
	const facts = { counts, live: live.sessions, marks: state.marks, now: startOfDay(now), runs: families.runs };
	const sources = runSources(catalog);
	const stale = stalePlaces(state);
	return list.items.slice(top, top + listCapacity(state)).flatMap((item): RowView[] => {
		const key = keyOf(item);
		const selected = key === cursor && state.saved.index === undefined;
		// While the cursor is among the saved queries, the one of the list is only hinted at.
		const ground = key === cursor && !selected ? { ground: "cursor-beside" as const } : {};
		if (isHeading(item)) {
			const line = drawHeading(item, { width, selected, projects, home, cwd });
			const row = { key, line, selected, ...ground };
			return height === 1 ? [row] : [{ key: `${key} above`, line: [], selected: false }, row];
		}
		const { row } = item;
		const line = drawSessionRow(item, {
			width,
			titleCells: rowTitleCells(state, width),
			columns,
			selected,
			marked: state.list.marked.has(key),
			use: briefUse(catalog.live.sessions.get(key) ?? [], now)?.sign,
			marks: state.marks,
			isOpenHere: isOpenInHost(state, row.path),
			isUnmatched: list.unmatched.has(key),
			isStale: row.place !== undefined && stale.has(row.place),
			run: row.run && factsOfRun(row, sources),
			runs: runCounts(row, sources),
			isForkOfDeleted: isForkOfDeleted(row, state),
			isConflictCopy: originalOf(row.path, (path) => catalog.rows.has(path)) !== undefined,
			terms: list.searching ? titleTerms(search.query.terms) : NO_TERMS,
			ending: shownEnding(row, facts),
			showPath,
			home,
			root,
			now,
			projects,
			counts: catalog.counts.get(key),
			cost: familyDollars(row, families, catalog.counts),
			activeMs: lastActive(row, families),
			isHere: projectKey(row.cwd) === projectKey(cwd),
			git: state.git.branches.get(row.cwd),
		});
		const title: RowView = { key, line, selected, ...ground };
		if (height === 1) return [title];
		const snippet = drawSnippet(search.results.get(key), width, { row, home });
		return [title, { key: `${key} found`, line: snippet, selected, ...ground }];
	});
}

const NO_TERMS: readonly Term[] = [];
/** The ending to show: what a session waits for. A running one with an open call or prompt is at work, not waiting. */
function shownEnding(row: SessionRow, facts: Parameters<typeof isWaiting>[1]): Ending {
	const ending = facts.counts.get(row.path)?.ending ?? "";
	const isAtWork = ending === "open-call" || ending === "unanswered";
	return isWaiting(row, facts) || (facts.live.has(row.path) && !isAtWork) ? ending : "";
}

/** Why the list is empty, wrapped. */
function emptyRows(state: State, { total }: SessionList, box: Box): RowView[] {
	const below = { ...box, height: box.height - savedHeight(state) - placesHeight(state) };
	return noticeRows(whyListIsEmpty(state, total), "muted", below);
}

/** Cells of a name; longer ones are cut. */
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
				? [span("↑", "muted"), span(sanitizeLine(text))]
				: [
						span(":", "accent"),
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
