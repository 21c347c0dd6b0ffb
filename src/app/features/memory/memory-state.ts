import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TreeFilter } from "../../../conversation/tree/shown-entries.ts";
import { COLORS, type Colors } from "../../../ui/theme/theme-choice.ts";
import { isNarrowed } from "../../world/list/list-view.ts";
import type { Feature } from "../../world/page/page.ts";
import { menu } from "../../world/screen/menus.ts";
import { FIRST_SETTINGS, type ListSettings } from "../../world/state/list-state.ts";
import { chosenFilter } from "../../world/state/opened-state.ts";
import { type MenuOverlay, pageOf } from "../../world/state/overlays.ts";
import {
	defineSlice,
	FIRST_SPLIT,
	type Split,
	type State,
	say,
	type Transition,
	transition,
} from "../../world/state/state.ts";

interface MemoryState {
	/** How sessions were left, by `viewKey`. */
	readonly views: ReadonlyMap<string, SessionView>;
	/** Positions of the dividers when last stored. */
	readonly split: Split;
	/** Settings of the list when last stored. */
	readonly list: ListSettings;
	readonly colors: Colors;
	/** The filter chosen last, for sessions without a remembered view. */
	readonly filter: TreeFilter;
	readonly last: LastOpened | undefined;
	/** The open session, and its view after the previous action. */
	readonly noted: { readonly key: string; readonly view: SessionView } | undefined;
}

export const MEMORY = defineSlice<MemoryState>("memory", {
	views: new Map(),
	split: FIRST_SPLIT,
	list: FIRST_SETTINGS,
	colors: "default",
	filter: "default",
	last: undefined,
	noted: undefined,
});

export interface LastOpened {
	readonly id: string;
	readonly path: string;
	/** Id of the entry under the cursor; undefined: the leaf. */
	readonly entry: string | undefined;
}

/** The list begins at a session of the last time if that was within this time. */
const RECENT_MS = 24 * 60 * 60 * 1000;

/** Path of the session at which the list begins: under its cursor when the browser was left, or opened since; "" or undefined: at its first row. */
export function firstSelected({ last, listed }: RememberedState, now: number): string | undefined {
	const [latest] = [listed, last].filter((one) => one !== undefined).toSorted((a, b) => b.atMs - a.atMs);
	return latest !== undefined && now - latest.atMs < RECENT_MS ? latest.path : undefined;
}

/** Path of the session at which the list is to begin next time, "" for its first row; undefined if it does so already. */
export function listedToNote(state: State, remembered: RememberedState): string | undefined {
	const { list, catalog, environment, now } = state;
	const row = catalog.rows.get(list.selected ?? "");
	if (environment.picks !== undefined || row === undefined || row.place !== undefined) return undefined;
	const { last } = MEMORY.of(state);
	const path = list.index === 0 && !isNarrowed(state) && last?.path !== row.path ? "" : row.path;
	const next = last === remembered.last ? firstSelected(remembered, now) : last?.path;
	return path === (next ?? "") ? undefined : path;
}

/** How a session was left: position and visible entries. */
export interface SessionView {
	/** Id of the entry under the cursor; undefined: the leaf, which the cursor follows. */
	readonly selected: string | undefined;
	/** Ids of the open branches. */
	readonly opened: ReadonlySet<string>;
	readonly filter: TreeFilter;
}

export interface RememberedState {
	/** Undefined if no divider was ever moved. */
	readonly split: Split | undefined;
	/** Undefined if no setting was ever changed. */
	readonly list?: ListSettings | undefined;
	readonly colors?: Colors | undefined;
	/** Undefined if no filter of the tree was ever chosen. */
	readonly filter?: TreeFilter | undefined;
	readonly last?: (LastOpened & { readonly atMs: number }) | undefined;
	/** What was under the cursor of the list when the browser was left; "": its first row. */
	readonly listed?: { readonly path: string; readonly atMs: number } | undefined;
	/** By `viewKey`. */
	readonly views: ReadonlyMap<string, SessionView>;
}

export const NOTHING_REMEMBERED: RememberedState = { split: undefined, views: new Map() };

/** Key of a session's view: a copy of a file is another session, and so is another file at its path. */
export function viewKey({ id, path }: Pick<SessionRow, "id" | "path">): string {
	return `${id} ${path}`;
}

function sameView(a: SessionView, b: SessionView): boolean {
	const sameOpened = a.opened === b.opened || (a.opened.size === b.opened.size && a.opened.isSubsetOf(b.opened));
	return a.selected === b.selected && a.filter === b.filter && sameOpened;
}

/** What has changed since it was stored last. */
export interface NotedChanges {
	readonly split?: Split;
	readonly list?: ListSettings;
	readonly colors?: Colors;
	readonly filter?: TreeFilter;
	readonly last?: LastOpened;
	/** Path of what was under the cursor of the list; "": its first row. */
	readonly listed?: string;
	/** How a session was left, with its `viewKey`. */
	readonly view?: readonly [key: string, view: SessionView];
}

/** Stores changes of the open session's view, the dividers and the settings of the list. */
function rememberChanges(state: State): Transition {
	const memory = MEMORY.of(state);
	const viewed = withView(memory, state);
	const { split } = state;
	const list = state.list.settings;
	const last = lastIn(state, memory.last);
	if (viewed === memory && split === memory.split && list === memory.list && last === memory.last)
		return transition(state);
	const { filter } = viewed;
	const noted: NotedChanges = {
		...(split !== memory.split && { split }),
		...(list !== memory.list && { list }),
		...(filter !== memory.filter && { filter }),
		...(last !== memory.last && last !== undefined && { last }),
		...(viewed.views !== memory.views && viewed.noted && { view: [viewed.noted.key, viewed.noted.view] }),
	};
	const next = MEMORY.with(state, { ...viewed, split, list, last });
	return Object.keys(noted).length === 0 ? transition(next) : transition(next, { type: "remember", noted });
}

/** The open session, if it has the focus, and its entry under the cursor; otherwise `last`. One of another place cannot be opened by its path. */
function lastIn(state: State, last: LastOpened | undefined): LastOpened | undefined {
	const { detail, focus, tree } = state;
	if (focus === "list" || detail.status !== "ready" || detail.row.place !== undefined || pageOf(state) !== undefined)
		return last;
	const { id, path } = detail.row;
	const entry = tree.selected !== undefined && detail.session.tree.byId.has(tree.selected) ? tree.selected : undefined;
	return last?.path === path && last.id === id && last.entry === entry ? last : { id, path, entry };
}

/** What the person has chosen could not be written. */
type MemoryAction = { readonly type: "not-remembered"; readonly why: string };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly memory: MemoryAction;
	}
}

export const MEMORY_FEATURE: Feature<MemoryAction> = {
	on: {
		"not-remembered": (state, { why }) =>
			transition(say(state, `What you choose is kept in this window only: ${why}`, "warning")),
	},
	steps: { memory: [rememberChanges] },
};

/** With the view of the open session, if that has changed. */
function withView(memory: MemoryState, { detail, focus, tree }: State): MemoryState {
	if (detail.status !== "ready") return memory;
	const key = viewKey(detail.row);
	const { selected, opened } = tree;
	const view = { selected, opened, filter: chosenFilter(tree) };
	const { noted } = memory;
	if (noted?.key === key && sameView(noted.view, view)) return memory;
	const next = { ...memory, noted: { key, view } };
	// Only how the person leaves a session is remembered, not how it was opened or what a search showed in passing.
	if (noted?.key !== key || focus === "list") return next;
	const filter = noted.view.filter === view.filter ? memory.filter : view.filter;
	return { ...next, views: new Map(memory.views).set(key, view), filter };
}

export type MemoryEffect = { readonly type: "remember"; readonly noted: NotedChanges };

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly memory: MemoryEffect;
	}
}

const LABELS: Readonly<Record<Colors, string>> = {
	default: "Those of pi's theme, otherwise of the terminal",
	dark: "For a dark background",
	light: "For a light background",
};

export function colorsMenu(state: State): MenuOverlay {
	return menu("Colors", [], {
		index: COLORS.indexOf(MEMORY.of(state).colors),
		items: COLORS.map((colors) => ({
			label: LABELS[colors],
			change: (next: State) => MEMORY.with(next, { colors }),
			effect: { type: "remember", noted: { colors } } as const,
		})),
	});
}
