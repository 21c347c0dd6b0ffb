import { asksForText } from "../../../catalog/query/parse-query.ts";
import {
	chooseSort,
	reverseOrder,
	toggleColumn,
	toggleHereFirst,
	toggleTerm,
	withScope,
} from "../../world/list/list-actions.ts";
import { scopesOf } from "../../world/list/scope.ts";
import { orderInUse } from "../../world/list/select-list.ts";
import { menu } from "../../world/screen/menus.ts";
import { COLUMN_INFO, OPTIONAL_COLUMNS, ORDERS, orderHint, sortsFor } from "../../world/state/list-columns.ts";
import { ALL_CHIP_TERMS, CHIP_TERMS, type Scope } from "../../world/state/list-state.ts";
import { type MenuOverlay, openOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";

const LABEL_WIDTH = Math.max(...Object.values(ORDERS).map(({ name }) => name.length)) + 1;

/** The sort orders, the current one highlighted. During a search these are the orders of its results. */
export function sortMenu(state: State): MenuOverlay {
	const searching = asksForText(state.list.search.query);
	const sorts = sortsFor(searching);
	const now = orderInUse(state);
	const orders = sorts.map((sort) => {
		const order = sort === now.sort ? now : { sort, reversed: false };
		return {
			label: `${ORDERS[sort].name.padEnd(LABEL_WIDTH)} ${orderHint(order)}`,
			change: (next: State) => (sort === now.sort ? next : chooseSort(next, sort)),
		};
	});
	const reversedHint = orderHint({ ...now, reversed: !now.reversed });
	return menu(searching ? "Sort results" : "Sort sessions", [], {
		index: sorts.indexOf(now.sort),
		items: [
			...orders,
			{ label: `${"The other way".padEnd(LABEL_WIDTH)} ${reversedHint}`, change: reverseOrder },
			{
				label: `${box(state.list.settings.hereFirst)} Sessions of this directory first, where nothing is searched`,
				change: toggleHereFirst,
			},
		],
	});
}

const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
	all: "Sessions of all projects",
	repo: "Of this repository, and its worktrees",
	here: "Of this directory",
	project: "Of the chosen project",
	archived: "Archived sessions",
};

/** Which sessions are listed, the present choice highlighted. */
export function showMenu(state: State): MenuOverlay {
	const scopes = scopesOf(state);
	return menu("Show", [], {
		index: scopes.indexOf(state.list.scope),
		items: [
			...scopes.map((scope) => ({
				label: SCOPE_LABELS[scope],
				change: (now: State) => (scope === "project" ? now : withScope(now, scope)),
			})),
			...ALL_CHIP_TERMS.map((term) => ({
				label: `${box(state.list.terms.includes(term))} ${CHIP_TERMS[term].item}`,
				change: (now: State) => toggleTerm(now, term),
			})),
			{
				label: `${box(state.list.showPath)} Their paths in place of the columns`,
				change: (now: State) => ({ ...now, list: { ...now.list, showPath: !now.list.showPath } }),
			},
		],
	});
}

/** The columns to show where there is room. Choosing one leaves the menu open, at that row. */
export function columnsMenu(state: State, index = 0): MenuOverlay {
	const { hidden } = state.list.settings;
	return menu("Columns, where there is room for them", [], {
		index,
		items: OPTIONAL_COLUMNS.map((column, at) => ({
			label: `${box(!hidden.has(column))} ${COLUMN_INFO[column].name}`,
			change: (now: State) => {
				const next = toggleColumn(now, column);
				return openOverlay(next, columnsMenu(next, at));
			},
		})),
	});
}

function box(isOn: boolean): string {
	return isOn ? "[x]" : "[ ]";
}
