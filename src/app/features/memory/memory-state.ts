import type { SessionRow } from "../../../catalog/model/row.ts";
import type { TreeFilter } from "../../../conversation/tree/shown-entries.ts";
import { FIRST_SETTINGS, type RememberedList } from "../../world/state/list-state.ts";
import {
	defineSlice,
	FIRST_SPLIT,
	type Split,
	type State,
	type Transition,
	transition,
} from "../../world/state/state.ts";

interface MemoryState {
	/** How sessions were left, by `viewKey`. */
	readonly views: ReadonlyMap<string, SessionView>;
	/** Positions of the dividers when last stored. */
	readonly split: Split;
	/** Settings of the list when last stored. */
	readonly list: RememberedList;
	/** The filter chosen last, for sessions without a remembered view. */
	readonly filter: TreeFilter;
	/** The open session, and its view after the previous action. */
	readonly noted: { readonly key: string; readonly view: SessionView } | undefined;
}

export const MEMORY = defineSlice<MemoryState>("memory", {
	views: new Map(),
	split: FIRST_SPLIT,
	list: { settings: FIRST_SETTINGS, scope: "all" },
	filter: "default",
	noted: undefined,
});

/** How a session was left: position and visible entries. */
export interface SessionView {
	/** Id of the entry under the cursor; undefined: the leaf, which the cursor follows. */
	readonly selected: string | undefined;
	/** Ids of the open branches. */
	readonly opened: ReadonlySet<string>;
	readonly filter: TreeFilter;
}

/** What is remembered from one run to the next. */
export interface Remembered {
	/** Undefined if no divider was ever moved. */
	readonly split: Split | undefined;
	/** Undefined if no setting was ever changed. */
	readonly list?: RememberedList | undefined;
	/** By `viewKey`. */
	readonly views: ReadonlyMap<string, SessionView>;
}

export const NOTHING_REMEMBERED: Remembered = { split: undefined, views: new Map() };

/** Key of a session's view: a copy of a file is another session, and so is another file at its path. */
export function viewKey({ id, path }: Pick<SessionRow, "id" | "path">): string {
	return `${id} ${path}`;
}

function sameView(a: SessionView, b: SessionView): boolean {
	const sameOpened = a.opened === b.opened || (a.opened.size === b.opened.size && a.opened.isSubsetOf(b.opened));
	return a.selected === b.selected && a.filter === b.filter && sameOpened;
}

/** Stores changes of the open session's view, the dividers and the settings of the list. */
export function rememberChanges(state: State): Transition {
	const [viewed, view] = rememberView(state);
	const [listed, list] = rememberList(viewed);
	const effects = [...view, ...list];
	if (listed.split === MEMORY.of(listed).split) return [listed, effects];
	const { split } = listed;
	return [MEMORY.with(listed, { split }), [...effects, { type: "remember-split", split }]];
}

function rememberList(state: State): Transition {
	const { settings, scope: own, scopeBefore } = state.list;
	const wide = own === "project" ? scopeBefore : own;
	const scope = wide === "everywhere" ? "all" : wide;
	const known = MEMORY.of(state).list;
	if (known.settings === settings && known.scope === scope) return transition(state);
	const list = { settings, scope };
	return transition(MEMORY.with(state, { list }), { type: "remember-list", list });
}

function rememberView(state: State): Transition {
	const { detail, focus } = state;
	const memory = MEMORY.of(state);
	if (detail.status !== "ready") return transition(state);
	const key = viewKey(detail.row);
	const { selected, opened, filter: shown } = state.tree;
	const view = { selected, opened, filter: shown };
	const { noted } = memory;
	if (noted?.key === key && sameView(noted.view, view)) return transition(state);
	const next = { ...memory, noted: { key, view } };
	// How a session is opened, and what a search shows of it in passing, is not how the person leaves it.
	if (noted?.key !== key || focus === "list") return transition(MEMORY.with(state, next));
	const views = new Map(memory.views).set(key, view);
	const filter = noted.view.filter === view.filter ? memory.filter : view.filter;
	return transition(MEMORY.with(state, { ...next, views, filter }), { type: "remember-view", key, view });
}

/** Effects of the memory. */
export type MemoryEffect =
	/** Store how a session was left. */
	| { readonly type: "remember-view"; readonly key: string; readonly view: SessionView }
	/** Store the positions of the dividers. */
	| { readonly type: "remember-split"; readonly split: Split }
	/** Store the settings of the list. */
	| { readonly type: "remember-list"; readonly list: RememberedList };

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly memory: MemoryEffect;
	}
}
