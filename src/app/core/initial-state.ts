import { NOTHING_LIVE } from "../../catalog/model/live.ts";
import { NO_MARKS } from "../../catalog/model/marks.ts";
import { NO_QUERY } from "../../catalog/query/parse-query.ts";
import type { ReadMarks } from "../../changes/noted/marks.ts";
import { editedText } from "../../ui/field/edit.ts";
import { NOT_TYPING } from "../../ui/field/typing.ts";
import type { Size } from "../../ui/view.ts";
import { firstSelected, MEMORY, NOTHING_REMEMBERED, type RememberedState } from "../features/memory/memory-state.ts";
import { atEntry } from "../world/opened/select-tree.ts";
import { type GitFacts, liveWithHost } from "../world/state/catalog-state.ts";
import type { HostPage } from "../world/state/choice.ts";
import { BY_RELEVANCE, FIRST_SETTINGS, NOTHING_SAVED } from "../world/state/list-state.ts";
import { FIRST_READER, NO_BRANCHES } from "../world/state/opened-state.ts";
import type { Environment, State } from "../world/state/state.ts";
import { FIRST_SPLIT, problemLines } from "../world/state/state.ts";

const NO_ROWS: State["catalog"]["rows"] = new Map();
const NO_GIT: GitFacts = { repository: undefined, branches: new Map() };
/** The commands that are run once the session is open. */
const OPENING: Readonly<Record<"tree" | HostPage, readonly string[]>> = {
	tree: [],
	changes: ["changes"],
	revert: ["changes-turn", "take-back-all"],
};

/** What was stored by earlier runs. */
type AtStart = RememberedState & Partial<ReadMarks>;

/** The state before anything has been read: all sessions, threaded, the cursor on the newest. */
export function initialState(
	environment: Environment,
	size: Size,
	now: number,
	remembered: AtStart = NOTHING_REMEMBERED,
): State {
	const { views, split = FIRST_SPLIT, list = FIRST_SETTINGS, colors = "default", last } = remembered;
	const { filter = environment.treeFilter ?? "default" } = remembered;
	const { marks = NO_MARKS, problems: markProblems = [] } = remembered;
	const state: State = {
		environment,
		size,
		now,
		focus: "list",
		waysBack: [],
		isDirect: environment.open !== undefined,
		arrival: arrivalIn(environment),
		zoom: false,
		beforeZoom: "list",
		split,
		catalog: {
			rows: NO_ROWS,
			here: NO_ROWS,
			elsewhere: new Map(),
			places: [],
			counts: new Map(),
			known: 0,
			read: 0,
			total: 0,
			complete: false,
			counted: 0,
			countable: 0,
			problems: [],
			live: liveWithHost(NOTHING_LIVE, environment.host),
		},
		marks,
		markProblems,
		list: {
			query: editedText(environment.query ?? ""),
			settings: list,
			foundOrder: BY_RELEVANCE,
			chosenOrder: undefined,
			scope: environment.project === undefined ? "all" : "project",
			project: environment.project ?? "",
			scopeBefore: "all",
			terms: environment.namedOnly === true ? ["is:named"] : [],
			showPath: false,
			unfolded: new Set(),
			marked: new Set(),
			stage: undefined,
			selected: undefined,
			index: 0,
			top: 0,
			cursorSet: false,
			seen: { path: undefined, query: NO_QUERY, since: now },
			// With a query, the best match is what is looked for.
			startsAt: startIn(environment, remembered, now),
			pendingSelection: environment.open ?? (environment.query ? undefined : environment.host?.open.path),
			opensPending: environment.open !== undefined,
		},
		git: NO_GIT,
		trashed: new Set(),
		detail: { status: "none" },
		tree: {
			query: editedText(""),
			parsed: NO_QUERY,
			filter,
			details: "outcome",
			selected: undefined,
			top: 0,
			pinned: undefined,
			hits: undefined,
			opened: new Set(),
			folded: new Set(),
			savedCursors: new Map(),
			returning: undefined,
			isReturned: false,
		},
		reader: FIRST_READER,
		branches: NO_BRANCHES,
		slices: {},
		mouse: { dragged: undefined, pressed: undefined, selection: undefined, appearedMs: 0 },
		saved: NOTHING_SAVED,
		filtering: undefined,
		typing: NOT_TYPING,
		overlays: [],
		message: firstMessage(environment, markProblems),
		progress: undefined,
		visiblePaths: [],
		watched: 0,
		request: 0,
		waiting: OPENING[environment.opens ?? "tree"].map((id) => ({ type: "command", id, at: now })),
		handingOver: false,
		changing: 0,
		readAfterChange: undefined,
	};
	return MEMORY.with(state, { views, split, list, colors, filter, last });
}

/** A person who searches, or chooses for a shell, wants the first row. */
function startIn({ query, picks }: Environment, remembered: RememberedState, now: number): string | undefined {
	return query || picks ? undefined : firstSelected(remembered, now);
}

/** Where the cursor goes once the session that the command line names is open. */
function arrivalIn({ open: path, openAt: id }: Environment): State["arrival"] {
	return path === undefined || id === undefined ? undefined : { path, place: (state) => atEntry(state, id) };
}

function firstMessage(
	{ problems, notice = [], empty }: Environment,
	otherProblems: readonly string[],
): State["message"] {
	const all = [...problems.map(({ message }) => message), ...otherProblems, ...notice];
	if (all.length > 0) return { text: problemLines(all), tone: "warning" };
	if (empty === undefined) return undefined;
	return {
		text: `This is a demo, because there are no sessions in ${empty}. Run pi, and start again.`,
		tone: "warning",
	};
}
