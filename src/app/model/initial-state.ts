import { NOTHING_LIVE } from "../../catalog/model/live.ts";
import { NO_QUERY } from "../../catalog/query/parse-query.ts";
import type { BranchesState } from "../branches/branches-state.ts";
import { editedText } from "../text/edit.ts";
import { FIRST_SPLIT } from "./layout.ts";
import { FIRST_MOUSE } from "./mouse.ts";
import { FIRST_READER } from "./reader-state.ts";
import { NOTHING_REMEMBERED, type Remembered } from "./session-view.ts";
import type { Environment, SearchState, Size, State } from "./state.ts";

/** Without a search the list shows all that its other filters let through. */
export const NO_SEARCH: SearchState = {
	request: 0,
	requested: NO_QUERY,
	query: NO_QUERY,
	results: new Map(),
	searched: 0,
	total: 0,
	settled: undefined,
};

/** The branches, newest first, none of them chosen. */
export const NO_BRANCHES: BranchesState = {
	from: "tree",
	fromZoom: false,
	query: editedText(""),
	sort: "time",
	selected: undefined,
	top: 0,
	marked: undefined,
	compared: undefined,
	comparedTop: 0,
	gathering: undefined,
};

/** The state before anything has been read: all sessions, threaded, the cursor on the newest. */
export function initialState(
	environment: Environment,
	size: Size,
	now: number,
	remembered: Remembered = NOTHING_REMEMBERED,
): State {
	const { treeFilter: filter = "default" } = environment;
	const { views, split = FIRST_SPLIT } = remembered;
	return {
		environment,
		size,
		now,
		focus: "list",
		zoom: false,
		beforeZoom: "list",
		split,
		memory: { views, split, filter, noted: undefined },
		catalog: {
			rows: new Map(),
			known: 0,
			read: 0,
			total: 0,
			complete: false,
			counted: 0,
			countable: 0,
			problems: [],
			live: NOTHING_LIVE,
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
			cursorSet: false,
			seen: { path: undefined, query: NO_QUERY, since: now },
			pendingSelection: environment.open,
			opensPending: environment.open !== undefined,
		},
		detail: { status: "none" },
		tree: {
			query: editedText(""),
			parsed: NO_QUERY,
			drawing: undefined,
			filter,
			labelTimes: false,
			details: "outcome",
			selected: undefined,
			top: 0,
			pinned: undefined,
			hits: undefined,
			opened: new Set(),
			folded: new Set(),
			savedCursors: new Map(),
		},
		reader: FIRST_READER,
		branches: NO_BRANCHES,
		glance: { counting: undefined, asked: undefined, facts: undefined },
		stats: undefined,
		mouse: FIRST_MOUSE,
		overlays: [],
		message: firstMessage(environment),
		visiblePaths: [],
		watched: 0,
		request: 0,
		checking: undefined,
		waiting: [],
		changing: 0,
		readAfterChange: undefined,
	};
}

function firstMessage({ problems, empty }: Environment): State["message"] {
	const [first] = problems;
	if (first !== undefined) return { text: first.message, tone: "warning" };
	if (empty === undefined) return undefined;
	return { text: `A demo, as there are no sessions in ${empty}. Run pi, and start again.`, tone: "warning" };
}
