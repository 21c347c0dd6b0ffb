import type { CatalogEvent, CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { keepSame, type ReadMarks } from "../../changes/noted/marks.ts";
import { atPisLeaf } from "../../conversation/entries/leaf.ts";
import { isOtherKey } from "../../conversation/tree/tree-rows.ts";
import { withEntries } from "../../shared/maps.ts";
import type { Session } from "../../store/read/read-session.ts";
import { indexOfKey } from "../../ui/page/page-rows.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { stayAtEnd } from "../features/reader/scroll.ts";
import { withUndoHint } from "../world/keys/undo-keys.ts";
import { withRows } from "../world/list/catalog-rows.ts";
import { isHeading, type ListItem } from "../world/list/headings.ts";
import { withoutGone } from "../world/list/marked.ts";
import { selectList } from "../world/list/select-list.ts";
import { atLeaf } from "../world/opened/select-tree.ts";
import { askFor, refreshQuestion } from "../world/questions/ask.ts";
import { bringMenu } from "../world/questions/bring-menus.ts";
import { missingDirectoryMenu } from "../world/questions/missing-directory.ts";
import { askAboutUse } from "../world/questions/resume-question.ts";
import type { Action } from "../world/state/action.ts";
import { type HostNow, liveWithHost } from "../world/state/catalog-state.ts";
import { withOverlay } from "../world/state/overlays.ts";
import { chain, type State, say, type Transition, transition } from "../world/state/state.ts";
import { handleInFeatures, queryNamed } from "./features/features.ts";

/** Sets the size of the terminal; shows a message while it is only assumed. */
function resized(state: State, { columns, rows, isAssumed }: Extract<Action, { type: "resize" }>): State {
	const message = state.message?.text.startsWith(NO_SIZE) ? undefined : state.message;
	const sized = { ...state, size: { columns, rows }, message };
	const what = `${NO_SIZE}: ${columns}×${rows} is assumed. To set it, leave and type: stty cols COLUMNS rows ROWS`;
	return isAssumed ? say(sized, what, "warning") : sized;
}

const NO_SIZE = "The terminal does not report its size";

/** Applies an action other than input: first to what is shared, then in each feature. */
export function handleAction(state: State, action: Action): Transition {
	return chain(handleInWorld(state, action), (next) => handleInFeatures(next, action));
}

function handleInWorld(state: State, action: Action): Transition {
	switch (action.type) {
		case "resize":
			return transition(resized(state, action));
		case "tick":
			return transition({ ...state, now: action.now });
		case "catalog":
			return transition(refreshQuestion(applyCatalogEvent(state, action.event)));
		case "marks":
			return transition(applyMarks(state, action.read));
		case "session-read":
			return transition(
				applyReading(state, action.request, (row) => {
					const session = atPisLeaf(action.session, state.environment.host);
					return {
						...withKnownCursor(stayAtEnd(state, session), session),
						detail: { status: "ready", row, session },
					};
				}),
			);
		case "session-failed":
			return transition(
				applyReading(state, action.request, (row) => ({
					...state,
					detail: { status: "failed", row, message: action.message },
				})),
			);
		case "loaded":
			return queryNamed(action.query).take(state, action);
		case "done": {
			const { text, tone, undoing } = action.message;
			const next = say(state, undoing === undefined ? text : withUndoHint(text, undoing, state), tone);
			const { created, select = created } = action;
			const arrived = created === undefined ? next : { ...next, arrival: { path: created, place: atLeaf } };
			return transition(select === undefined ? next : { ...arrived, list: { ...next.list, pendingSelection: select } });
		}
		case "progress":
			return transition({ ...state, progress: action.progress });
		case "changed":
			return transition(applyChanged(state));
		case "in-use":
			return transition(askAboutUse(state, action.effect, action.now));
		case "host":
			return transition(refreshQuestion(withHostNow(state, action.now)));
		case "back":
			return transition(comeBack(state, action));
		case "ask":
			return transition(askFor(state, action.question));
		case "directory-missing":
			return withOverlay(state, missingDirectoryMenu(state, action));
		case "home-found": {
			const row = state.catalog.rows.get(action.path);
			return row === undefined ? transition(state) : withOverlay(state, bringMenu(state, row, action));
		}
		case "failed":
			return transition(state, { type: "leave", outcome: { kind: "failed", error: action.error } });
		default:
			return transition(state);
	}
}

function withHostNow(state: State, now: HostNow): State {
	const { environment, catalog } = state;
	if (environment.host === undefined) return state;
	const host = { ...environment.host, ...now };
	const live = liveWithHost(catalog.live, host);
	const { detail } = state;
	const nextDetail = detail.status === "ready" ? { ...detail, session: atPisLeaf(detail.session, host) } : detail;
	return { ...state, detail: nextDetail, environment: { ...environment, host }, catalog: { ...catalog, live } };
}

/**
 * After pi everything is as it was left, and the cursor stays on its session, even if pi has started a newer one; in its tree, it
 * is at the end, where pi has gone on if it has run. What was typed before pi had the terminal was not meant for us.
 */
function comeBack(state: State, { path, hasRun, message }: Extract<Action, { type: "back" }>): State {
	const { selected, pendingSelection: before } = state.list;
	// If a fork was made and resumed, the cursor moves to it.
	const pendingSelection = path === selected ? before : path;
	const { detail, tree } = state;
	const isOpened = detail.status !== "none" && detail.row.path === path;
	const atEnd: Partial<State["tree"]> = isOpened ? { selected: undefined, pinned: undefined } : {};
	const savedCursors = new Map(tree.savedCursors).set(path, undefined);
	return {
		...{ ...state, message, waiting: [], tree: hasRun ? { ...tree, ...atEnd, savedCursors } : tree },
		list: { ...state.list, cursorSet: true, pendingSelection },
	};
}

function applyCatalogEvent(state: State, event: CatalogEvent): State {
	const { catalog } = state;
	const withCatalog = (fields: Partial<State["catalog"]>): State => ({ ...state, catalog: { ...catalog, ...fields } });
	switch (event.type) {
		case "known":
			return withCatalog({ known: event.count });
		case "rows":
			return withCatalog(withRows(catalog, event.rows));
		case "gone": {
			const next = cursorBeside(state, event.paths);
			const counts = withEntries(catalog.counts, [], event.paths);
			return sayLost({ ...next, catalog: { ...catalog, ...withRows(catalog, [], event.paths), counts } }, event.paths);
		}
		case "counts":
			return withCatalog({
				counts: withEntries(
					catalog.counts,
					event.counts.map(([path, counts]) => [path, counts]),
				),
			});
		case "live":
			return withCatalog({ live: event.report });
		case "places":
			return withCatalog({ places: event.places });
		case "progress": {
			const { read, total } = event;
			return withCatalog({ read, total, complete: catalog.complete || read === total });
		}
		case "counting":
			return withCatalog({ counted: event.counted, countable: event.total });
		case "problems":
			return sayNewProblem(withCatalog({ problems: event.problems }), catalog.problems);
	}
}

/** Moves the cursor to the next session that stays, or the last one: when many disappear, its index would be far off. */
function cursorBeside(state: State, gonePaths: readonly string[]): State {
	const { selected } = state.list;
	if (selected === undefined || !gonePaths.includes(selected)) return state;
	const { items } = selectList(state);
	const at = indexOfKey(items, selected, state.list.index);
	if (at === -1) return state;
	const goneSet = new Set(gonePaths);
	const stays = (item: ListItem): boolean => !isHeading(item) && !goneSet.has(item.row.path);
	const beside = items.slice(at).find(stays) ?? items.slice(0, at).findLast(stays);
	return beside === undefined ? state : { ...state, list: { ...state.list, selected: beside.key } };
}

/** Unmarks sessions that are gone, with a message unless this program has moved them. */
function sayLost(state: State, gonePaths: readonly string[]): State {
	const [next, lost] = withoutGone(state, gonePaths);
	if (lost === 0 || state.changing > 0) return next;
	const rest = `${formatCount(next.list.marked.size)} left`;
	return say(next, `${formatCounted(lost, "marked session")} disappeared: ${rest}`, "warning");
}

/** Ends a change. The session under the cursor may be read again because of it. */
function applyChanged(state: State): State {
	const readAfterChange = state.detail.status === "loading" ? state.request : undefined;
	return { ...state, changing: Math.max(0, state.changing - 1), readAfterChange };
}

/** Moves the cursor of the tree to the leaf if its entry, remembered from an earlier run, is gone. */
function withKnownCursor(state: State, { tree }: Session): State {
	const { selected } = state.tree;
	return selected === undefined || tree.byId.has(selected) || isOtherKey(selected)
		? state
		: { ...state, tree: { ...state.tree, selected: undefined } };
}

function applyReading(state: State, request: number, apply: (row: SessionRow) => State): State {
	return request !== state.request || state.detail.status !== "loading" ? state : apply(state.detail.row);
}

/** Shows a new problem once as a message; after that Maintenance lists it. */
function sayNewProblem(state: State, knownProblems: readonly CatalogProblem[]): State {
	const fresh = state.catalog.problems.find(({ message }) => !knownProblems.some((old) => old.message === message));
	return fresh === undefined ? state : say(state, fresh.message, "warning");
}

/** Applies the pins and tags of the file; a new problem is shown once as a message. */
function applyMarks(state: State, { marks, problems }: ReadMarks): State {
	const next = { ...state, marks: keepSame(state.marks, marks), markProblems: problems };
	const fresh = problems.find((problem) => !state.markProblems.includes(problem));
	return fresh === undefined ? next : say(next, fresh, "warning");
}
