import { NO_QUERY } from "../../catalog/query/parse-query.ts";
import { editedText } from "../text/edit.ts";
import type { Environment, SearchState, Size, State } from "./state.ts";

/** Without a search the list shows all that its other filters let through. */
export const NO_SEARCH: SearchState = {
	request: 0,
	requested: NO_QUERY,
	query: NO_QUERY,
	results: new Map(),
	searched: 0,
	total: 0,
};

/** The state before anything has been read: all sessions, threaded, the cursor on the newest. */
export function initialState(environment: Environment, size: Size, now: number): State {
	return {
		environment,
		size,
		now,
		focus: "list",
		catalog: {
			rows: new Map(),
			known: 0,
			read: 0,
			total: 0,
			complete: false,
			counted: 0,
			countable: 0,
			problems: [],
			live: new Set(),
		},
		list: {
			query: editedText(""),
			search: NO_SEARCH,
			sort: "threaded",
			scope: "all",
			namedOnly: false,
			showPath: false,
			selected: undefined,
			index: 0,
			top: 0,
			cursorMoved: false,
			pendingSelection: undefined,
		},
		detail: { status: "none" },
		tree: {
			query: editedText(""),
			parsed: { query: NO_QUERY },
			drawing: undefined,
			filter: "default",
			labelTimes: false,
			selected: undefined,
			top: 0,
			pinned: undefined,
			hits: undefined,
			folded: new Set(),
			savedCursors: new Map(),
		},
		entryTop: 0,
		stats: undefined,
		overlays: [],
		message: firstMessage(environment),
		visiblePaths: [],
		request: 0,
	};
}

function firstMessage({ problems, empty }: Environment): State["message"] {
	const [first] = problems;
	if (first !== undefined) return { text: first.message, tone: "warning" };
	if (empty === undefined) return undefined;
	return { text: `A demo, as there are no sessions in ${empty}. Run pi, and start again.`, tone: "warning" };
}
