import { onSession, openPage } from "../keys/key.ts";
import { showSession } from "../list/list-actions.ts";
import { notedQuery } from "../list/list-search.ts";
import { selectedRow } from "../list/select-list.ts";
import { type Binding, contextOf } from "../state/binding.ts";
import { viewOf } from "../state/opened-state.ts";
import { pagesOf } from "../state/overlays.ts";
import { type PageWay, type SessionWay, type State, say, type Transition, type WayBack } from "../state/state.ts";

/** Bindings that close a page without going anywhere. */
const CLOSES: ReadonlySet<string> = new Set(["cancel", "back", "previous-pane", "leave", "home"]);

/** The state after a binding; if the binding left a page, with the way back. */
function withWayBack(lastState: State, next: State, id: string): State {
	const pages = pagesOf(lastState);
	if (pages.length === 0 || next.overlays.length > 0 || CLOSES.has(id)) return next;
	// The way to another session of the family is noted already.
	if (next.waysBack.length > lastState.waysBack.length) return next;
	const { focus } = lastState;
	const selected = focus === "list" ? undefined : selectedRow(lastState)?.path;
	const way = { pages, focus, selected, list: listOf(lastState), text: next.list.query.text };
	return { ...next, waysBack: [...next.waysBack, way] };
}

function listOf({ list: { query, chosenOrder, terms, scope, project, scopeBefore, stage } }: State) {
	return { query, chosenOrder, terms, scope, project, scopeBefore, stage };
}

/**
 * Closes all pages and opens the tree of a session. The cursor of the list goes there too; the list shows more if it has to. `place`:
 * moves the cursor of the tree, once the session is open. @default it is where it was left
 */
export function openTree(state: State, path: string, place?: (state: State) => State): State {
	const listState = showSession({ ...state, overlays: [] }, path);
	return { ...listState, arrival: place && { path, place }, list: { ...listState.list, opensPending: true } };
}

/**
 * A key that acts on the opened session, for the list too: where no pane shows the session, it is opened for it. `id`: of the command
 * that then runs in its tree; `place`: moves the cursor there.
 */
export function onOpened(
	id: string,
	run: (state: State) => Transition,
	place?: (state: State) => State,
): Pick<Required<Binding>, "acts" | "needs" | "run"> {
	const open = (state: State, path: string): Transition => [
		{ ...openTree(state, path, place), waiting: [{ type: "command", id, at: state.now }] },
		[],
	];
	return {
		...onSession("open", (state, { path }) => (state.detail.session?.path === path ? run(state) : open(state, path)), {
			where: "anywhere",
		}),
		acts: "entry",
	};
}

/** Moves the cursor of the tree to where it is to be, once its session is open. */
export function arrive(state: State): State {
	const { arrival, overlays, list, detail } = state;
	if (arrival === undefined) return state;
	const arrived = { ...state, arrival: undefined };
	const hasLeft = overlays.length > 0 || (list.pendingSelection ?? list.selected) !== arrival.path;
	if (hasLeft) return arrived;
	return detail.session?.path === arrival.path ? arrival.place(arrived) : state;
}

/** Opens the tree of a session as `openTree` does; if another one is open, with a way back to what is shown now, page or panes. */
export function goToTree(state: State, to: string, place?: (state: State) => State): State {
	const from = selectedRow(state)?.path;
	if (from === undefined || from === to) return openTree(state, to, place);
	const { focus, zoom, beforeZoom, list } = state;
	const { unfolded, index, top } = list;
	const way: SessionWay = {
		...{ from, to, focus, zoom, beforeZoom, pages: pagesOf(state) },
		list: { ...listOf(state), unfolded, index, top },
		view: viewOf(state),
	};
	return { ...openTree({ ...state, zoom: false }, to, place), waysBack: [...state.waysBack, way] };
}

/** Whether escape leads back: from the tree that a page or a session has led to, or from a list that still shows what a page chose. */
export function leadsBack(state: State): boolean {
	const way = wayBack(state);
	if (state.overlays.length > 0 || state.zoom || way === undefined) return false;
	return state.focus === "tree" || (state.focus === "list" && isPageWay(way));
}

/** Whether escape leads out of the browser, to the shell or to pi, from where the session was opened. */
export function leadsOut(state: State): boolean {
	return state.isDirect && !state.zoom && state.focus === "tree" && !leadsBack(state);
}

/** Forgets that the session was opened from outside once the person is in the list. */
export function reconcileDirect(state: State): State {
	const isInList = state.focus === "list" && !state.list.opensPending && state.overlays.length === 0;
	return state.isDirect && isInList ? { ...state, isDirect: false } : state;
}

/** Opens the previous page or session again, with the list as it was. */
export function goBack(state: State): State {
	const way = wayBack(state);
	if (way === undefined) return state;
	const stateBefore = { ...state, waysBack: state.waysBack.slice(0, -1) };
	if (!isPageWay(way)) return backToSession(stateBefore, way);
	const placed =
		way.selected === undefined ? {} : { selected: way.selected, pendingSelection: way.selected, cursorSet: true };
	const list = { ...state.list, ...way.list, ...placed, opensPending: false };
	return openPage({ ...stateBefore, focus: way.focus, list }, ...way.pages);
}

/** Opens the session again, as it was shown, and the page above it. */
function backToSession(state: State, { from, focus, zoom, beforeZoom, list, view, pages }: SessionWay): State {
	if (!state.catalog.rows.has(from)) return say(state, "The session that you came from is gone", "warning");
	const placed = { selected: from, pendingSelection: from, opensPending: false, cursorSet: true };
	const shownState = {
		...{ ...state, focus, zoom, beforeZoom },
		list: { ...state.list, ...list, ...placed },
		tree: { ...state.tree, returning: { path: from, view } },
	};
	return openPage(shownState, ...pages);
}

/** Forgets the ways back once something else than more is typed into the list, and those to sessions once another one is chosen. */
export function reconcileWaysBack(state: State): State {
	if (state.overlays.length > 0 || state.waysBack.length === 0 || wayBack(state) !== undefined) return state;
	const way = state.waysBack.at(-1);
	if (way === undefined || !isPageWay(way))
		return reconcileWaysBack({ ...state, waysBack: state.waysBack.slice(0, -1) });
	const isLonger = way.text !== "" && state.list.query.text.startsWith(way.text.trim());
	if (state.focus !== "list" || isLonger) return state;
	// A page that listed sessions in an order of its own has set aside the one that was chosen.
	const chosenOrder = state.list.chosenOrder ?? way.list.chosenOrder;
	return { ...state, waysBack: [], list: { ...state.list, chosenOrder } };
}

function wayBack({ waysBack, list }: State): WayBack | undefined {
	const way = waysBack.at(-1);
	if (way === undefined) return undefined;
	const leads = isPageWay(way)
		? way.text.trim() === list.query.text.trim()
		: way.to === (list.pendingSelection ?? list.selected);
	return leads ? way : undefined;
}

function isPageWay(way: WayBack): way is PageWay {
	return "text" in way;
}

/** Runs a binding, and notes where it was run: the page, for the way back, and the query of the list. */
export function runBinding(state: State, binding: Binding): Transition {
	const isAction =
		contextOf(state) === "list" && (binding.acts === "session" || binding.acts === "chosen" || binding.id === "resume");
	const [next, effects] = binding.run(isAction ? notedQuery(state) : state);
	return [withWayBack(state, next, binding.id), effects];
}
