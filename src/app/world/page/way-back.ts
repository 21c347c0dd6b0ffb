import { notedQuery } from "../list/select-saved.ts";
import { type Binding, contextOf } from "../state/binding.ts";
import { openPage, pageOf } from "../state/overlays.ts";
import type { State, Transition, WayBack } from "../state/state.ts";

/** Bindings that close a page without going anywhere. */
const CLOSES: ReadonlySet<string> = new Set(["cancel", "back", "leave"]);

/** The state after a binding; if that has led from a page elsewhere, with the way back. */
function withWayBack(before: State, next: State, id: string): State {
	const page = pageOf(before);
	if (page === undefined || next.overlays.length > 0 || CLOSES.has(id)) return next;
	const { query, terms, scope, project, scopeBefore, stage } = before.list;
	const list = { query, terms, scope, project, scopeBefore, stage };
	return { ...next, waysBack: [...next.waysBack, { page, focus: before.focus, list, text: next.list.query.text }] };
}

/** Whether escape leads back to a page: from the tree that it has led to, or from a list that still shows what it chose. */
export function leadsBack(state: State): boolean {
	if (state.overlays.length > 0 || state.zoom || wayBack(state) === undefined) return false;
	return state.focus === "tree" ? state.tree.query.text === "" : state.focus === "list";
}

/** Opens the page again that has led here, with the list as it was. */
export function goBack(state: State): State {
	const way = wayBack(state);
	if (way === undefined) return state;
	const waysBack = state.waysBack.slice(0, -1);
	const list = { ...state.list, ...way.list, opensPending: false };
	return openPage({ ...state, focus: way.focus, list, waysBack }, way.page);
}

/** Forgets the ways back once something else is typed into the list. */
export function reconcileWaysBack(state: State): State {
	const isLost = state.focus === "list" && state.overlays.length === 0 && wayBack(state) === undefined;
	return isLost && state.waysBack.length > 0 ? { ...state, waysBack: [] } : state;
}

function wayBack({ waysBack, list }: State): WayBack | undefined {
	const way = waysBack.at(-1);
	return way?.text === list.query.text ? way : undefined;
}

/** Runs a binding, and notes what led to it: the page, for the way back, and the query of the list. */
export function runBinding(state: State, binding: Binding): Transition {
	const isAction = contextOf(state) === "list" && (binding.acts === "session" || binding.id === "resume");
	const [next, effects] = binding.run(isAction ? notedQuery(state) : state);
	return [withWayBack(state, next, binding.id), effects];
}
