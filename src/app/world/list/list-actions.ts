import { COLUMNS, type Column } from "../state/columns.ts";
import type { Order, Sort } from "../state/list-order.ts";
import type { ListSettings, Scope } from "../state/list-settings.ts";
import type { State } from "../state/state.ts";
import { fitsArchive } from "./archived.ts";
import { typeQuery } from "./edit-query.ts";
import { headingKey, isHeading, isSectionHeading } from "./headings.ts";
import { SECTION_INFO, type SectionName } from "./home.ts";
import { inScope, placeOfScope } from "./scope.ts";
import { orderInUse, selectedRow, selectList } from "./select-list.ts";

/** What keys and menus do to the list: pure changes of the state, after which the cursor is on the session that it was on. */
function withSettings(state: State, settings: Partial<ListSettings>): State {
	return keepCursor({ ...state, list: { ...state.list, settings: { ...state.list.settings, ...settings } } });
}

function keepCursor(state: State): State {
	return { ...state, list: { ...state.list, cursorSet: true } };
}

/** Orders the list; while something is searched, its results. */
function withOrder(state: State, order: Order): State {
	if (state.list.search.query.text === "") return withSettings(state, { order });
	return keepCursor({ ...state, list: { ...state.list, foundOrder: order } });
}

/** Orders by something; by the same once more, the other way round. */
export function sortBy(state: State, sort: Sort): State {
	const { sort: now, reversed } = orderInUse(state);
	return withOrder(state, { sort, reversed: now === sort && !reversed });
}

/** Orders by something, as it is meant. */
export function chooseSort(state: State, sort: Sort): State {
	return withOrder(state, { sort, reversed: false });
}

export function reverseOrder(state: State): State {
	const { sort, reversed } = orderInUse(state);
	return withOrder(state, { sort, reversed: !reversed });
}

export function toggleHereFirst(state: State): State {
	return withSettings(state, { hereFirst: !state.list.settings.hereFirst });
}

/** Shows the sections above the list, or one list of all. */
export function toggleHome(state: State): State {
	return withSettings(state, { home: !state.list.settings.home });
}

export function toggleColumn(state: State, column: Column): State {
	const { hidden } = state.list.settings;
	const next = COLUMNS.filter((each) => (each === column ? !hidden.has(each) : hidden.has(each)));
	return withSettings(state, { hidden: new Set(next) });
}

/** Another scope; what was wider is remembered for the way back from one project. */
export function withScope(state: State, scope: Exclude<Scope, "project">): State {
	return orFirst({ ...state, list: { ...state.list, scope, scopeBefore: scope } });
}

/** Only sessions with a name, or all. */
export function toggleNamed(state: State): State {
	return orFirst({ ...state, list: { ...state.list, namedOnly: !state.list.namedOnly } });
}

/** The cursor begins anew where the list does not have its session any more: its place in numbers tells nothing. */
function orFirst(state: State): State {
	const row = selectedRow(state);
	const place = placeOfScope(state);
	const isListed =
		row === undefined ||
		(inScope(row, place) &&
			fitsArchive(row, place.inArchive, state.list.search.query) &&
			(!state.list.namedOnly || row.name !== undefined));
	return isListed ? state : { ...state, list: { ...state.list, cursorSet: false } };
}

/** Only the sessions of one project. */
export function onlyProject(state: State, project: string): State {
	return orFirst(keepCursor({ ...state, focus: "list", list: { ...state.list, scope: "project", project } }));
}

/** Only the project under the cursor; then all again. The cursor stays on its session. */
export function toggleProject(state: State): State {
	const { scope, scopeBefore } = state.list;
	if (scope === "project") return keepCursor({ ...state, list: { ...state.list, scope: scopeBefore } });
	const project = projectUnderCursor(state);
	return project === undefined ? state : onlyProject(state, project);
}

/** Directory of the project that the cursor is in. */
export function projectUnderCursor(state: State): string | undefined {
	const item = selectList(state).items[state.list.index];
	return isHeading(item) && !isSectionHeading(item) ? item.heading : selectedRow(state)?.cwd;
}

/** Folds a project to its heading, or opens it. */
export function toggleFold(state: State, project: string): State {
	const folded = new Set(state.list.settings.folded);
	if (folded.delete(project)) {
		const next = withSettings(state, { folded });
		const isHeadingSelected = state.list.selected === headingKey(project);
		// Those in sections stand further up.
		const { rows, itemIndexes } = selectList(state);
		const first = rows.find(({ row }) => row.cwd === project && !itemIndexes.has(row.path))?.row.path;
		return isHeadingSelected ? { ...next, list: { ...next.list, selected: first } } : next;
	}
	return withSettings(state, { folded: folded.add(project) });
}

/** Folds the project of every session in the list, or, if that is so, opens them. */
export function toggleAllFolds(state: State): State {
	const projects = new Set(selectList(state).rows.map(({ row }) => row.cwd));
	const { folded } = state.list.settings;
	return withSettings(state, {
		folded: projects.isSubsetOf(folded) ? folded.difference(projects) : folded.union(projects),
	});
}

/** Why nothing can be folded; undefined when there are headings. */
export function needsHeadings(state: State): string | undefined {
	return selectList(state).byProject ? undefined : "There are headings where the list is sorted by project";
}

/** All sessions of a section: its rule is typed as a query. */
export function openSection(state: State, section: SectionName): State {
	return typeQuery(state, SECTION_INFO[section].query);
}
