import { headOf } from "../../../catalog/model/session-links.ts";
import { rowMeets } from "../../../catalog/query/conditions.ts";
import { asksForText } from "../../../catalog/query/parse-query.ts";
import { projectKey } from "../../../shared/paths.ts";
import { type EditedText, replaceTyped } from "../../../ui/field/edit.ts";
import { type Column, type Order, orderLabel, type Sort, wantedColumns } from "../state/list-columns.ts";
import type { ChipTerm, ListSettings, Scope } from "../state/list-state.ts";
import { type State, say } from "../state/state.ts";
import { familiesOf, pathsAbove } from "./families.ts";
import { headingKey, isHeading } from "./headings.ts";
import { searchOf } from "./list-search.ts";
import { rowHeight } from "./list-view.ts";
import { closeStage } from "./marked.ts";
import { rowFacts } from "./match-rows.ts";
import { extentOfScope, fitsArchive, inScope } from "./scope.ts";
import { hasOwnOrder, orderInUse, selectedRow, selectList } from "./select-list.ts";
import { offersOf } from "./select-offers.ts";
import { parseTyped, termsQuery } from "./select-saved.ts";

// What keys and menus do to the list: pure changes of the state, most of which leave the cursor on its session.

function withSettings(state: State, settings: Partial<ListSettings>): State {
	return keepCursor({ ...state, list: { ...state.list, settings: { ...state.list.settings, ...settings } } });
}

function keepCursor(state: State): State {
	return { ...state, list: { ...state.list, cursorSet: true } };
}

/** Sets the order of the list, or during a search the order of its results. A cursor at the top stays there: what comes first is wanted. */
function withOrder(state: State, order: Order): State {
	const { list } = state;
	const ordered = (some: Partial<State["list"]>): State => {
		return { ...state, list: { ...list, ...some, cursorSet: list.index > 0 } };
	};
	// This one is kept for the next start.
	if (!hasOwnOrder(state))
		return say(ordered({ settings: { ...list.settings, order } }), `Order from now on: ${orderLabel(order)}`, "muted");
	return ordered({ [asksForText(searchOf(state).query) ? "foundOrder" : "chosenOrder"]: order });
}

/** Sorts by something; reverses the order if it is sorted by that already. */
export function sortBy(state: State, sort: Sort): State {
	const { sort: now, reversed } = orderInUse(state);
	return withOrder(state, { sort, reversed: now === sort && !reversed });
}

/** Sorts by something, not reversed. */
export function chooseSort(state: State, sort: Sort): State {
	return withOrder(state, { sort, reversed: false });
}

export function reverseOrder(state: State): State {
	const { sort, reversed } = orderInUse(state);
	return withOrder(state, { sort, reversed: !reversed });
}

/** Shows a column, or hides it: from now on the columns are those that the person has chosen. */
export function toggleColumn(state: State, column: Column): State {
	const columns = new Set(wantedColumns(state.size.columns, state.list.settings.columns));
	return withSettings(state, { columns: [...columns.symmetricDifference(new Set([column]))] });
}

export function toggleHereFirst(state: State): State {
	return withSettings(state, { hereFirst: !state.list.settings.hereFirst });
}

/** Sets the scope, which is also the one to return to from a single project. */
export function withScope(state: State, scope: Exclude<Scope, "project">): State {
	return orFirst({ ...state, list: { ...state.list, scope, scopeBefore: scope } });
}

export function toggleTerm(state: State, term: ChipTerm): State {
	const { terms } = state.list;
	const next = terms.includes(term) ? terms.filter((other) => other !== term) : [...terms, term];
	return orFirst({ ...state, list: { ...state.list, terms: next } });
}

/** Moves the cursor to the start if its session is no longer listed: the old index is meaningless. */
function orFirst(state: State): State {
	const row = selectedRow(state);
	const extent = extentOfScope(state);
	const query = termsQuery(state.list.terms);
	const isListed =
		row === undefined ||
		(inScope(row, extent) &&
			fitsArchive(row, extent.inArchive, searchOf(state).query) &&
			rowMeets(row, query.conditions, rowFacts(state, query)));
	return { ...state, list: { ...state.list, cursorSet: isListed && state.list.cursorSet } };
}

export function onlyProject(state: State, project: string): State {
	return orFirst(keepCursor({ ...state, focus: "list", list: { ...state.list, scope: "project", project } }));
}

/** Shows only the project under the cursor, or all again. The cursor stays on its session. */
export function toggleProject(state: State): State {
	const { scope, scopeBefore } = state.list;
	if (scope === "project") return keepCursor({ ...state, list: { ...state.list, scope: scopeBefore } });
	const project = projectUnderCursor(state);
	return project === undefined ? state : onlyProject(state, project);
}

/** The project that the cursor is in, as `projectKey` names it. */
export function projectUnderCursor(state: State): string | undefined {
	const item = selectList(state).items[state.list.index];
	const row = selectedRow(state);
	return isHeading(item) ? item.heading : row && projectKey(headOf(row, familiesOf(state.catalog.rows)).cwd);
}

export function toggleFold(state: State, project: string): State {
	const folded = new Set(state.list.settings.folded);
	if (folded.delete(project)) {
		const next = withSettings(state, { folded });
		const isHeadingSelected = state.list.selected === headingKey(project);
		const first = selectList(state).rows.find(({ row }) => projectKey(row.cwd) === project)?.row.path;
		return isHeadingSelected ? { ...next, list: { ...next.list, selected: first } } : next;
	}
	return withSettings(state, { folded: folded.add(project) });
}

/** Folds all projects in the list, or unfolds them if all are folded. */
export function toggleAllFolds(state: State): State {
	const families = familiesOf(state.catalog.rows);
	const projects = new Set(selectList(state).rows.map(({ row }) => projectKey(headOf(row, families).cwd)));
	const { folded } = state.list.settings;
	return withSettings(state, {
		folded: projects.isSubsetOf(folded) ? folded.difference(projects) : folded.union(projects),
	});
}

export function unfoldRuns(state: State): State {
	const row = selectedRow(state);
	if (row === undefined || needsRuns(state) !== undefined) return state;
	return withUnfolded(state, state.list.unfolded.union(new Set([row.path])), row.path);
}

export function needsRuns(state: State): string | undefined {
	const row = selectedRow(state);
	if (row !== undefined && familiesOf(state.catalog.rows).runs.has(row.path)) return undefined;
	const hasReports = row !== undefined && state.catalog.counts.get(row.path)?.runs !== undefined;
	return hasReports
		? "The runs of this session have no sessions of their own"
		: "This session has no runs of subagents";
}

/** Hides the runs below the session under the cursor; on a run without any, hides it and those beside it. */
export function foldRuns(state: State): State {
	const parent = unfoldedHere(state);
	if (parent === undefined) return state;
	return withUnfolded(state, state.list.unfolded.difference(new Set([parent])), parent);
}

export function needsUnfoldedRuns(state: State): string | undefined {
	return unfoldedHere(state) === undefined ? "No runs of subagents are shown here" : undefined;
}

/** Path of the session under the cursor if its runs are shown, else of its parent if those are. */
function unfoldedHere(state: State): string | undefined {
	const row = selectedRow(state);
	const { unfolded } = state.list;
	const { runs, parents } = familiesOf(state.catalog.rows);
	if (row === undefined) return undefined;
	if (runs.has(row.path) && unfolded.has(row.path)) return row.path;
	const parent = parents.get(row)?.path;
	return parent !== undefined && unfolded.has(parent) ? parent : undefined;
}

/** Shows the runs of all sessions, or hides them if any are shown. */
export function toggleAllRuns(state: State): State {
	const families = familiesOf(state.catalog.rows);
	const row = selectedRow(state);
	if (state.list.unfolded.size === 0) return withUnfolded(state, new Set(families.runs.keys()), row?.path);
	return withUnfolded(state, new Set(), row && headOf(row, families).path);
}

function withUnfolded(state: State, unfolded: ReadonlySet<string>, selected: string | undefined): State {
	return keepCursor({ ...state, list: { ...state.list, unfolded, selected: selected ?? state.list.selected } });
}

export function needsHeadings(state: State): string | undefined {
	return selectList(state).byProject ? undefined : "The list has headings only when it is sorted by project";
}

/** Moves the cursor of the list to a session, clearing the query and the scope if they hide it. No overlay may be open. */
export function showSession(before: State, path: string): State {
	const { rows } = before.catalog;
	const families = familiesOf(rows);
	const row = rows.get(path);
	const above = row === undefined ? [] : pathsAbove(row, families);
	const unfolded = above.length === 0 ? before.list.unfolded : before.list.unfolded.union(new Set(above));
	const state: State = { ...before, focus: "list", list: { ...before.list, unfolded } };
	const list = { ...state.list, pendingSelection: path, cursorSet: true };
	if (selectList(state).rows.some(({ row }) => row.path === path)) return { ...state, list };

	const allListed = typeQuery(inAll(state), "");
	const isArchived = row !== undefined && headOf(row, families).archived === true;
	return withScope(
		{ ...allListed, list: { ...allListed.list, pendingSelection: path } },
		isArchived ? "archived" : "all",
	);
}

/** Lists all sessions, without filters. */
export function inAll(state: State): State {
	const all = withScope(closeStage(state), "all");
	return { ...all, list: { ...all.list, terms: [], pendingSelection: undefined } };
}

/**
 * Edits the query. A changed query moves the cursor to the first row; a cleared one leaves it on its session, in the same
 * screen row.
 */
export function editListQuery(state: State, change: (value: EditedText) => EditedText): State {
	const query = change(state.list.query);
	if (query.text === state.list.query.text) return { ...state, list: { ...state.list, query } };
	const lastQuery = parseTyped(state.list.query.text).query;
	const now = parseTyped(query.text).query;
	const saved = {
		...state.saved,
		index: undefined,
		lastQuery: now === "" && lastQuery !== "" ? lastQuery : state.saved.lastQuery,
	};
	if (now === lastQuery) return { ...state, saved, list: { ...state.list, query } };
	const isCleared = now === "";
	const keptRow = isCleared ? (state.list.index - state.list.top) * rowHeight(state) : undefined;
	return { ...state, saved, list: { ...state.list, query, cursorSet: isCleared, keptRow } };
}

/** Adds a part to the query, as if it had been typed: in place of the word that it is offered for, else at the end. */
export function addToQuery(state: State, part: string): State {
	const { text } = state.list.query;
	const offer = offersOf(state).find((one) => one.text === part);
	if (offer !== undefined) return typeQuery(state, `${text.slice(0, offer.start)}${part}${text.slice(offer.end)} `);
	const isThere = ` ${text} `.includes(` ${part} `);
	// An "or" at the end would join the part with the word before it.
	const typed = text.trim().replace(/\s+(?:or|\|)$/i, "");
	return isThere ? state : typeQuery(state, `${[typed, part].filter(Boolean).join(" ")} `);
}

/** Replaces the query, as if it had been typed. */
export function typeQuery(state: State, text: string): State {
	const next = editListQuery(state, (field) => replaceTyped(field, text, text.length));
	return { ...next, typing: { ...next.typing, last: undefined } };
}
