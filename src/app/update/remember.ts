import { type SessionView, sameView, viewKey } from "../model/session-view.ts";
import type { State } from "../model/state.ts";
import { type Transition, transition } from "../model/transition.ts";

/** Notes how the person leaves the session that is open, and where the dividers are, when they have changed either. */
export function rememberChanges(state: State): Transition {
	const [viewed, view] = rememberView(state);
	if (viewed.split === viewed.memory.split) return [viewed, view];
	const { split } = viewed;
	return [{ ...viewed, memory: { ...viewed.memory, split } }, [...view, { type: "remember-split", split }]];
}

function rememberView(state: State): Transition {
	const { detail, focus, memory } = state;
	if (detail.status !== "ready") return transition(state);
	const key = viewKey(detail.row);
	const view = viewOf(state);
	const { noted } = memory;
	if (noted?.key === key && sameView(noted.view, view)) return transition(state);
	const next = { ...memory, noted: { key, view } };
	// How it was found, and what a search shows of it in passing, is not how the person left it.
	if (noted?.key !== key || focus === "list") return transition({ ...state, memory: next });
	const views = new Map(memory.views).set(key, view);
	const filter = noted.view.filter === view.filter ? memory.filter : view.filter;
	return transition({ ...state, memory: { ...next, views, filter } }, { type: "remember-view", key, view });
}

function viewOf({ tree }: State): SessionView {
	return { selected: tree.selected, opened: tree.opened, filter: tree.filter };
}
