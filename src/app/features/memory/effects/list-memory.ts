import { isObject } from "../../../../shared/is-object.ts";
import { COLUMNS } from "../../../world/state/columns.ts";
import { SORTS } from "../../../world/state/list-order.ts";
import { FIRST_SETTINGS, type RememberedList } from "../../../world/state/list-settings.ts";

/** The folded projects that are remembered: those that were folded last. */
const MOST_FOLDED = 1000;
/** Units of a directory; longer ones are none. */
const LONGEST_DIRECTORY = 4096;
const SCOPES = ["all", "repo", "here", "archived"] as const;

/** How the person wants the list, as it is stored. */
export function listToJson({ settings, scope }: RememberedList): object {
	const { order, home, hereFirst, hidden, folded } = settings;
	return { order, scope, home, hereFirst, hidden: [...hidden], folded: [...folded].slice(-MOST_FOLDED) };
}

/** Reads what `listToJson` wrote, also by another version: what is not known here is as if it had never been chosen. */
export function listFrom(stored: unknown): RememberedList | undefined {
	if (!isObject(stored)) return undefined;
	const order = isObject(stored.order) ? stored.order : {};
	const sort = SORTS.find((name) => name === order.sort && name !== "relevance");
	const scope = SCOPES.find((name) => name === stored.scope) ?? "all";
	return {
		scope,
		settings: {
			order: sort === undefined ? FIRST_SETTINGS.order : { sort, reversed: order.reversed === true },
			home: stored.home !== false,
			hereFirst: stored.hereFirst === true,
			hidden: new Set(COLUMNS.filter((column) => listOf(stored.hidden).includes(column))),
			folded: new Set(listOf(stored.folded).filter(isDirectory).slice(-MOST_FOLDED)),
		},
	};
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function isDirectory(value: unknown): value is string {
	return typeof value === "string" && value.length <= LONGEST_DIRECTORY;
}
