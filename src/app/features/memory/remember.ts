import { type State, type Transition, transition } from "../../world/state/state.ts";
import { MEMORY, type SessionView, sameView, viewKey } from "./memory-state.ts";

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
	const scope = own === "project" ? scopeBefore : own;
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
	const view = viewOf(state);
	const { noted } = memory;
	if (noted?.key === key && sameView(noted.view, view)) return transition(state);
	const next = { ...memory, noted: { key, view } };
	// How a session is opened, and what a search shows of it in passing, is not how the person leaves it.
	if (noted?.key !== key || focus === "list") return transition(MEMORY.with(state, next));
	const views = new Map(memory.views).set(key, view);
	const filter = noted.view.filter === view.filter ? memory.filter : view.filter;
	return transition(MEMORY.with(state, { ...next, views, filter }), { type: "remember-view", key, view });
}

function viewOf({ tree }: State): SessionView {
	return { selected: tree.selected, opened: tree.opened, filter: tree.filter };
}
