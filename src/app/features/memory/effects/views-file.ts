import { TREE_FILTERS } from "../../../../conversation/tree/tree-filter.ts";
import { isObject } from "../../../../shared/is-object.ts";
import { COLUMNS, SORTS } from "../../../world/state/list-columns.ts";
import { FIRST_SETTINGS, MOST_RECENT, type RememberedList } from "../../../world/state/list-state.ts";
import { type DividerName, FIRST_SPLIT, type Split } from "../../../world/state/split.ts";
import type { SessionView } from "../memory-state.ts";

/** Contents of the file of remembered views. */
export interface StoredViews {
	readonly split: Split | undefined;
	readonly list: RememberedList | undefined;
	/** By `viewKey`. */
	readonly views: ReadonlyMap<string, StoredView>;
}

export interface StoredView {
	/** When the view was stored, Unix ms. */
	readonly atMs: number;
	readonly view: SessionView;
}

const VERSION = 1;
/** Remembered sessions: those left last. */
const MAX_SESSIONS = 500;
/** Remembered open branches per session. */
const MAX_OPENED = 100;
/** Longest id, in UTF-16 units; pi's have 8. */
const MAX_ID_LENGTH = 100;

export const NO_VIEWS: StoredViews = { split: undefined, list: undefined, views: new Map() };

/** Parses the text of the file; anything invalid is left out. */
export function parseViews(text: string): StoredViews {
	const stored = parseJson(text);
	if (!isObject(stored) || stored.version !== VERSION) return NO_VIEWS;
	const sessions = Array.isArray(stored.sessions) ? stored.sessions : [];
	return { split: splitOf(stored.split), list: listFrom(stored.list), views: new Map(sessions.flatMap(viewOf)) };
}

/** The text of the file, with the sessions left last. */
export function printViews({ split, list, views }: StoredViews): string {
	const newest = [...views].toSorted(([, a], [, b]) => b.atMs - a.atMs).slice(0, MAX_SESSIONS);
	const sessions = newest.map(([key, { atMs, view }]) => ({
		key,
		atMs,
		...(view.selected !== undefined && { selected: view.selected }),
		filter: view.filter,
		opened: [...view.opened].slice(0, MAX_OPENED),
	}));
	return `${JSON.stringify({ version: VERSION, split, list: list && listToJson(list), sessions })}\n`;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Damaged: counts as empty, and the next write replaces it.
		return undefined;
	}
}

function viewOf(stored: unknown): [string, StoredView][] {
	if (!isObject(stored)) return [];
	const { key, atMs, selected, filter, opened } = stored;
	const known = TREE_FILTERS.find((name) => name === filter);
	if (typeof key !== "string" || typeof atMs !== "number" || known === undefined) return [];
	const ids = (Array.isArray(opened) ? opened : []).filter(isId).slice(0, MAX_OPENED);
	return [
		[key, { atMs, view: { selected: isId(selected) ? selected : undefined, opened: new Set(ids), filter: known } }],
	];
}

function isId(value: unknown): value is string {
	return typeof value === "string" && value.length <= MAX_ID_LENGTH;
}

function splitOf(stored: unknown): Split | undefined {
	if (!isObject(stored)) return undefined;
	const share = (name: DividerName): number => {
		const value = stored[name];
		return typeof value === "number" && value >= 0 && value <= 1 ? value : FIRST_SPLIT[name];
	};
	return {
		list: share("list"),
		"list-wide": share("list-wide"),
		"list-aside": share("list-aside"),
		columns: share("columns"),
		rows: share("rows"),
		"rows-reader": share("rows-reader"),
	};
}

/** Remembered folded projects: those folded last. */
const MAX_FOLDED = 1000;
/** Longest directory, in UTF-16 units. */
const MAX_DIRECTORY_LENGTH = 4096;
const SCOPES = ["all", "repo", "here", "archived"] as const;

/** The settings of the list as they are stored. */
function listToJson({ settings, scope }: RememberedList): object {
	const { order, hereFirst, hidden, folded, recent } = settings;
	return { order, scope, hereFirst, hidden: [...hidden], folded: [...folded].slice(-MAX_FOLDED), recent };
}

/** Reads what `listToJson` wrote, possibly in another version: unknown values count as never chosen. */
function listFrom(stored: unknown): RememberedList | undefined {
	if (!isObject(stored)) return undefined;
	const order = isObject(stored.order) ? stored.order : {};
	const sort = SORTS.find((name) => name === order.sort && name !== "relevance");
	const scope = SCOPES.find((name) => name === stored.scope) ?? "all";
	return {
		scope,
		settings: {
			order: sort === undefined ? FIRST_SETTINGS.order : { sort, reversed: order.reversed === true },
			hereFirst: stored.hereFirst === true,
			hidden: new Set(COLUMNS.filter((column) => listOf(stored.hidden).includes(column))),
			folded: new Set(listOf(stored.folded).filter(isDirectory).slice(-MAX_FOLDED)),
			recent: listOf(stored.recent)
				.filter((text) => typeof text === "string")
				.slice(0, MOST_RECENT),
		},
	};
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function isDirectory(value: unknown): value is string {
	return typeof value === "string" && value.length <= MAX_DIRECTORY_LENGTH;
}
