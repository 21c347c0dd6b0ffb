import type { CatalogEvent, CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { Session } from "../../store/read/read-session.ts";
import { applyBranches } from "../branches/reconcile-branches.ts";
import type { Action } from "../model/action.ts";
import type { Effect } from "../model/effect.ts";
import type { Question } from "../model/question.ts";
import type { State } from "../model/state.ts";
import { say, type Transition, transition } from "../model/transition.ts";
import { lookedThrough, stayAtEnd } from "../reader/grow.ts";
import type { Drawing } from "../tree/draw-tree.ts";
import { isDamageKey } from "../tree/tree-rows.ts";
import { missingDirectoryMenu } from "./menus.ts";
import { openOverlay } from "./overlay.ts";
import { questionMenu } from "./question-menu.ts";
import { applyCheck } from "./reconcile-check.ts";
import { applyGlance } from "./reconcile-glance.ts";
import { applyHits, applySearchEvent } from "./search-results.ts";
import { askAboutUse, refreshQuestion } from "./use-menus.ts";

/** Applies an action other than a key or pasted text. */
export function handleAction(state: State, action: Action): Transition {
	switch (action.type) {
		case "resize":
			return transition({ ...state, size: { columns: action.columns, rows: action.rows } });
		case "tick":
			return transition({ ...state, now: action.now });
		case "catalog":
			return [refreshQuestion(applyCatalogEvent(state, action.event)), recount(state, action.event)];
		case "session-read":
			return transition(
				applyReading(state, action.request, (row) => ({
					...withKnownCursor(stayAtEnd(state, action.session), action.session),
					detail: { status: "ready", row, session: action.session },
				})),
			);
		case "session-checked":
			return applyCheck(state, action.session, action.isSound);
		case "session-failed":
			return transition(
				applyReading(state, action.request, (row) => ({
					...state,
					detail: { status: "failed", row, message: action.message },
				})),
			);
		case "search":
			return transition(applySearchEvent(state, action.request, action.event));
		case "hits":
			return transition(applyHits(state, action));
		case "tree-drawn":
			return transition(applyDrawing(state, action.drawing));
		case "looked-through":
			return transition(lookedThrough(state, action.job));
		case "colored":
			return transition(
				state.reader.coloring === action.job ? { ...state, reader: { ...state.reader, coloring: undefined } } : state,
			);
		case "weighed":
			return transition(
				state.reader.weighing === action.weights
					? { ...state, reader: { ...state.reader, weighing: undefined } }
					: state,
			);
		case "renderers":
			return transition({ ...state, reader: { ...state.reader, renderers: action.renderers } });
		case "branches-gathered":
			return transition(applyBranches(state, action.session, action.branches));
		case "session-counted":
		case "looked-up":
			return transition(applyGlance(state, action));
		case "stats":
			return transition({ ...state, stats: action.stats });
		case "done": {
			const said = say(state, action.message.text, action.message.tone);
			return transition(
				action.select === undefined ? said : { ...said, list: { ...said.list, pendingSelection: action.select } },
			);
		}
		case "changed":
			return transition(applyChanged(state));
		case "in-use":
			return transition(askAboutUse(state, action.effect, action.now));
		case "ask":
			return transition(ask(state, action.question));
		case "directory-missing":
			return transition(openOverlay(state, missingDirectoryMenu(state, action.request)));
		case "failed":
			return transition(state, { type: "leave", outcome: { kind: "failed", error: action.error } });
		case "keys":
		case "mouse":
		case "text":
			return transition(state);
	}
}

/** A question never comes between the person and what they have opened meanwhile: it can be asked again. */
function ask(state: State, question: Question): State {
	if (state.overlays.length === 0) return openOverlay(state, questionMenu(state, question));
	return say(state, [question.title, ...question.body].join(" "), "warning");
}

function applyCatalogEvent(state: State, event: CatalogEvent): State {
	switch (event.type) {
		case "known":
			return { ...state, catalog: { ...state.catalog, known: event.count } };
		case "rows": {
			const rows = new Map(state.catalog.rows);
			for (const row of event.rows) rows.set(row.path, row);
			return { ...state, catalog: { ...state.catalog, rows } };
		}
		case "gone": {
			const rows = new Map(state.catalog.rows);
			for (const path of event.paths) rows.delete(path);
			return { ...state, catalog: { ...state.catalog, rows } };
		}
		case "live":
			return { ...state, catalog: { ...state.catalog, live: event.report } };
		case "progress": {
			const { read, total } = event;
			return {
				...state,
				catalog: { ...state.catalog, read, total, complete: state.catalog.complete || read === total },
			};
		}
		case "counting":
			return { ...state, catalog: { ...state.catalog, counted: event.counted, countable: event.total } };
		case "problems":
			return sayNewProblem(
				{ ...state, catalog: { ...state.catalog, problems: event.problems } },
				state.catalog.problems,
			);
	}
}

function applyDrawing(state: State, drawn: Drawing): State {
	const { drawing } = state.tree;
	if (drawing?.input !== drawn.input) return state;
	return { ...state, tree: { ...state.tree, drawing: { input: drawn.input, drawn } } };
}

/** Counts again while the statistics are open and sessions are being counted, so that the numbers grow on the screen. */
function recount({ overlays, catalog }: State, event: CatalogEvent): readonly Effect[] {
	const top = overlays.at(-1);
	const isLooking = top?.kind === "help" && top.page === "stats";
	return isLooking && event.type === "counting" ? [{ type: "count", rows: [...catalog.rows.values()] }] : [];
}

/** The session under the cursor may be read anew because of the change. */
function applyChanged(state: State): State {
	const readAfterChange = state.detail.status === "loading" ? state.request : undefined;
	return { ...state, changing: Math.max(0, state.changing - 1), readAfterChange };
}

/** An entry that was under the cursor in an earlier run may be gone: then the cursor is on the leaf. */
function withKnownCursor(state: State, { tree }: Session): State {
	const { selected } = state.tree;
	return selected === undefined || tree.byId.has(selected) || isDamageKey(selected)
		? state
		: { ...state, tree: { ...state.tree, selected: undefined } };
}

/** The state after a reading, unless that was of an earlier request. */
function applyReading(state: State, request: number, apply: (row: SessionRow) => State): State {
	return request !== state.request || state.detail.status !== "loading" ? state : apply(state.detail.row);
}

/** A new problem is shown once as a message; after that the page of problems lists it. */
function sayNewProblem(state: State, known: readonly CatalogProblem[]): State {
	const fresh = state.catalog.problems.find(({ message }) => !known.some((old) => old.message === message));
	return fresh === undefined ? state : say(state, fresh.message, "warning");
}
