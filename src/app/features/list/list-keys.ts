import type { SessionRow } from "../../../catalog/model/row.ts";
import { asksForText } from "../../../catalog/query/parse-query.ts";
import { capital, formatCount } from "../../../ui/text/format.ts";
import { change, type Key, onChosen, onSelected } from "../../world/keys/key.ts";
import { familiesOf } from "../../world/list/families.ts";
import { isHeading } from "../../world/list/headings.ts";
import {
	addToQuery,
	chooseSort,
	foldRuns,
	needsHeadings,
	needsRuns,
	needsUnfoldedRuns,
	projectUnderCursor,
	reverseOrder,
	sortBy,
	toggleAllFolds,
	toggleAllRuns,
	toggleColumn,
	toggleFold,
	toggleHereFirst,
	toggleProject,
	toggleTerm,
	unfoldRuns,
	withScope,
} from "../../world/list/list-actions.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { listColumns } from "../../world/list/list-view.ts";
import { scopesOf } from "../../world/list/scope.ts";
import { orderInUse, selectList } from "../../world/list/select-list.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import { menu } from "../../world/screen/menus.ts";
import {
	COLUMNS,
	type Column,
	ORDERS,
	orderHint,
	SORTS,
	sortsFor,
	wantedColumns,
} from "../../world/state/list-columns.ts";
import { ALL_CHIP_TERMS, CHIP_TERMS, type Scope } from "../../world/state/list-state.ts";
import { type MenuOverlay, openOverlay } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { ALTERNATIVE_KEYS } from "./alternative-rows.ts";
import { newProjects } from "./projects-overlay.ts";

const LIST = ["list"] as const;

const COPY_PATH = onChosen("copy the path of", copyPaths, { where: "anywhere" });

const SCOPES = ["all", "here", "repo", "everywhere", "archived"] as const;
const SCOPE_HELP: Readonly<Record<(typeof SCOPES)[number], string>> = {
	all: "sessions of all projects",
	here: "sessions of this directory",
	repo: "sessions of this repository and its worktrees",
	everywhere: "sessions of all projects, in all places",
	archived: "archived sessions",
};

/** Who wants to bring back a session has to find it first. */
const SHOW_ARCHIVE: Partial<Key> = {
	...{ name: "Show the archive", synonyms: "bring back, unarchive, archived" },
	when: ({ list }) => list.scope !== "archived",
};

/** Come before all other keys: where nothing matches, and on a heading, which they act on. */
// biome-ignore format: a table
export const HEADING_KEYS: readonly Key[] = [
	...ALTERNATIVE_KEYS,
	{ id: "open-project", keys: ["enter", "right"], contexts: LIST, short: "open", when: isOnProject, acts: "cursor",
		help: "show the project's sessions", condition: "on the heading of a project", run: change(foldHere) },
];

// biome-ignore format: a table
export const LIST_KEYS: readonly Key[] = [
	{ id: "scope", keys: ["tab"], contexts: LIST, short: nextScope, pi: "tui.input.tab",
		help: "switch between all projects, this directory, this repository, all places and the archive", run: change(toNextScope) },
	{ id: "show", name: "Show…", synonyms: "filter, scope, all projects, repository, directory, archive, named, running, live, in use, waiting, today, yesterday, month, week, date, on:", keys: [], contexts: LIST,
		help: "choose which sessions are listed", run: change((state) => openOverlay(state, showMenu(state))) },
	...SCOPES.map((scope) => ({ id: `scope-${scope}`, ...(scope === "archived" ? SHOW_ARCHIVE : {}), keys: [], contexts: LIST, help: SCOPE_HELP[scope],
		run: change((state: State) => withScope(state, scope)) })),
	{ id: "only-project", name: "Show only this project, or all projects", isOn: ({ list }) => list.scope === "project", synonyms: "filter, directory", keys: [], contexts: LIST, help: "list only the sessions of this project, or all again",
		needs: needsProject, acts: "cursor", run: change(toggleProject) },
	{ id: "projects", name: "Show one project…", synonyms: "find a project, projects, directory", keys: [], contexts: LIST, help: "choose a project, and list only its sessions",
		needs: needsSessions, run: change((state) => openOverlay(state, newProjects(state))) },
	{ id: "sort", name: "Sort…", synonyms: "order, order by, newest, oldest, long, longest, largest, most expensive, group by project, project, reverse, descending, ascending, cost, age, recent, created, title, messages, turns, errors, tokens, size, model", keys: ["ctrl+s"], contexts: LIST, pi: "app.session.toggleSort",
		about: (state) => orderHint(orderInUse(state)), help: "choose the order of the list", acts: "order", run: change((state) => openOverlay(state, sortMenu(state))) },
	{ id: "reverse", keys: [], contexts: LIST, help: "reverse the order", acts: "order", run: change(reverseOrder) },
	...SORTS.filter((sort) => sort !== "relevance").map((sort) => ({ id: `sort-${sort}`, keys: [], contexts: LIST,
		help: `sort by ${ORDERS[sort].name.toLowerCase()}, or in reverse`,
		acts: "order" as const, run: change((state: State) => sortBy(state, sort)) })),
	{ id: "here-first", keys: [], contexts: LIST, help: "list the sessions of this directory first, or in order",
		run: change(toggleHereFirst) },
	{ id: "fold-project", name: "Fold or unfold the project", synonyms: "collapse, expand", keys: [], contexts: LIST, help: "fold the project to its heading, or unfold it",
		needs: needsHeadings, acts: "cursor", run: change(foldHere) },
	{ id: "fold-projects", name: "Fold or unfold all projects", synonyms: "collapse, expand", keys: [], contexts: LIST, help: "fold all projects to their headings, or unfold them",
		needs: needsHeadings, run: change(toggleAllFolds) },
	{ id: "unfold", keys: ["alt+right"], contexts: LIST, when: hasFamilies, acts: "cursor",
		help: "show the runs of subagents below the session", needs: needsRuns, run: change(unfoldRuns) },
	{ id: "fold", keys: ["alt+left"], contexts: LIST, when: hasFamilies, acts: "cursor",
		help: "hide the runs of subagents", needs: needsUnfoldedRuns, run: change(foldRuns) },
	{ id: "toggle-all-runs", name: "Show or hide all runs of subagents", synonyms: "fold, unfold, expand, collapse, family, children, agents, subagents", keys: [], contexts: LIST,
		when: hasFamilies, help: "show the runs of subagents of all sessions, or hide them", run: change(toggleAllRuns) },
	{ id: "named", name: "Named only, or named and unnamed", isOn: ({ list }) => list.terms.includes("is:named"), synonyms: "named, filter", keys: [], contexts: LIST, pi: "app.session.toggleNamedFilter",
		help: "list only sessions with a name, or all",
		run: change((state) => toggleTerm(state, "is:named")) },
	{ id: "path", name: "Show paths, or show columns", isOn: ({ list }) => list.showPath, synonyms: "files, directory", keys: [], contexts: LIST, pi: "app.session.togglePath",
		help: "show the paths of the files, or the columns",
		run: change(togglePaths) },
	{ id: "columns", name: "Columns…", synonyms: "show, hide, project, model, tokens, size", keys: [], contexts: LIST,
		help: "choose the columns", run: change((state) => openOverlay(state, columnsMenu(state))) },
	{ id: "copy-path", name: "Copy the path of {}", synonyms: "clipboard, file", keys: ["ctrl+x"], contexts: LIST, help: "copy the path of the session's file, or of each marked session, to the clipboard",
		...COPY_PATH },
	{ id: "copy-path", keys: [], contexts: ["tree", "reader", "branches"], help: "copy the path of the session's file", ...COPY_PATH },
	{ id: "copy-id", name: "Copy the id of {}", synonyms: "clipboard, address, link, reference", keys: [], contexts: LIST, help: "copy the session's id, or that of each marked session, with which the list and the shell find it",
		...onChosen("copy the id of", copyIds, { where: "anywhere" }) },
	{ id: "copy-address", name: "Copy the address of this entry", synonyms: "clipboard, id, link, reference, permalink", keys: [], contexts: ["tree", "reader", "branches"], acts: "entry", help: "copy ID#ENTRY of the entry under the cursor, with which the list and the shell open it there",
		...onSelected(selectedAddress, "There is no entry here", copyAddress) },
];

function copyPaths(state: State, rows: readonly SessionRow[]): Transition {
	const text = rows.map(({ path }) => path).join("\n");
	return transition(state, {
		type: "copy",
		text,
		what: rows.length === 1 ? "the path" : `${formatCount(rows.length)} paths`,
	});
}

function copyIds(state: State, rows: readonly SessionRow[]): Transition {
	const text = rows.map(({ id }) => id).join("\n");
	return transition(state, {
		type: "copy",
		text,
		what: rows.length === 1 ? "the id" : `${formatCount(rows.length)} ids`,
	});
}

function selectedAddress(state: State): string | undefined {
	const id = state.detail.row?.id ?? "";
	const entry = entryUnderCursor(state);
	return id === "" || entry === undefined ? undefined : `${id}#${entry.id}`;
}

function copyAddress(state: State, address: string): Transition {
	return transition(state, { type: "copy", text: address, what: address });
}

function togglePaths(state: State): State {
	return { ...state, list: { ...state.list, showPath: !state.list.showPath } };
}

function nextScope(state: State): Scope {
	const scopes = scopesOf(state);
	return scopes[(scopes.indexOf(state.list.scope) + 1) % scopes.length] ?? "all";
}

function toNextScope(state: State): State {
	const next = nextScope(state);
	return next === "project" ? state : withScope(state, next);
}

function isOnProject(state: State): boolean {
	return isHeading(selectList(state).items[state.list.index]);
}

function foldHere(state: State): State {
	const project = projectUnderCursor(state);
	return project === undefined ? state : toggleFold(state, project);
}

/** Whether there are runs to show or to hide; those that a search has found are shown in any case. */
function hasFamilies(state: State): boolean {
	const { list, catalog } = state;
	return searchOf(state).query.text === "" && list.query.text === "" && familiesOf(catalog.rows).runs.size > 0;
}

function needsSessions({ catalog }: State): string | undefined {
	return catalog.rows.size === 0 ? "There is no project yet" : undefined;
}

function needsProject(state: State): string | undefined {
	if (state.list.scope === "project" || projectUnderCursor(state) !== undefined) return undefined;
	return "There is no session under the cursor";
}

const LABEL_WIDTH = Math.max(...Object.values(ORDERS).map(({ name }) => name.length)) + 1;

/** The sort orders, the current one highlighted. During a search these are the orders of its results. */
function sortMenu(state: State): MenuOverlay {
	const searching = asksForText(searchOf(state).query);
	const sorts = sortsFor(searching).filter((sort) => sort !== "place" || hasPlaces(state));
	const now = orderInUse(state);
	const orders = sorts.map((sort) => {
		const order = sort === now.sort ? now : { sort, reversed: false };
		return {
			label: `${ORDERS[sort].name.padEnd(LABEL_WIDTH)} ${orderHint(order)}`,
			synonyms: `sort, order, ${ORDERS[sort].synonyms}`,
			change: (next: State) => (sort === now.sort ? next : chooseSort(next, sort)),
		};
	});
	const reversedHint = orderHint({ ...now, reversed: !now.reversed });
	return menu(searching ? "Sort results" : "Sort sessions", [], {
		index: sorts.indexOf(now.sort),
		items: [
			...orders,
			{ label: `${"Reverse".padEnd(LABEL_WIDTH)} ${reversedHint}`, change: reverseOrder },
			{
				label: "Sessions of this directory first, except in search results",
				checked: state.list.settings.hereFirst,
				change: toggleHereFirst,
			},
		],
	});
}

function columnsMenu({ size, list }: State): MenuOverlay {
	const columns = wantedColumns(size.columns, list.settings.columns);
	return menu("Columns", [], {
		items: COLUMNS.map((column) => ({
			label: capital(column),
			checked: columns.includes(column),
			hasRoom: (now: State) => hasRoom(now, column),
			change: (now: State) => toggleColumn(now, column),
		})),
	});
}

/** Whether a chosen column is on the screen, or would be if the list did not show paths. */
function hasRoom(state: State, column: Column): boolean {
	const width = layoutFor(state).list?.width ?? 0;
	return state.list.showPath || listColumns(state, width).some((placed) => placed.column === column);
}

const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
	here: "Sessions of this directory",
	repo: "Sessions of this repository and its worktrees",
	all: "Sessions of all projects",
	everywhere: "Sessions of all projects, in all places",
	project: "Sessions of the chosen project",
	archived: "Archived sessions",
};

function showMenu(state: State): MenuOverlay {
	const scopes = scopesOf(state);
	return menu("Show", [], {
		index: scopes.indexOf(state.list.scope),
		items: [
			...scopes.map((scope) => ({
				label: SCOPE_LABELS[scope],
				change: (now: State) => (scope === "project" ? now : withScope(now, scope)),
			})),
			...ALL_CHIP_TERMS.map((term) => ({
				label: CHIP_TERMS[term].item,
				checked: state.list.terms.includes(term),
				change: (now: State) => toggleTerm(now, term),
			})),
			{ label: "Only sessions of this month", change: (now: State) => addToQuery(now, "on:this-month") },
			{
				label: "Paths instead of columns",
				checked: state.list.showPath,
				change: togglePaths,
			},
		],
	});
}

function hasPlaces({ catalog }: State): boolean {
	return catalog.places.length > 0;
}
