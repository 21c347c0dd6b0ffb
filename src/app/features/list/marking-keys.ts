import { formatCounted } from "../../../ui/text/format.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { undoHint } from "../../world/keys/undo-keys.ts";
import { toggleStage } from "../../world/list/marked.ts";
import { selectedRow, selectList } from "../../world/list/select-list.ts";
import { defineSlice, type State, say } from "../../world/state/state.ts";
import { SESSIONS } from "./session-rows.ts";

const LIST = ["list"] as const;

/** The marks that were cleared last, to be made again, until something is marked or changed. */
const CLEARED = defineSlice<{ readonly paths: ReadonlySet<string> }>("cleared marks", { paths: new Set() });

/** Comes before undo, which has the same key. */
// biome-ignore format: a table
export const REMARK_KEYS: readonly Key[] = [
	{ id: "undo", keys: ["ctrl+_"], contexts: LIST, short: "undo", when: hasCleared, about: () => "clear all marks", pi: "tui.editor.undo",
		help: "mark again what was marked", condition: "after clearing all marks", run: change(markAgain) },
];

// biome-ignore format: a table
export const MARKING_KEYS: readonly Key[] = [
	// A query cannot begin with a blank, so on an empty one the blank marks.
	{ id: "mark", keys: [" "], contexts: LIST, when: ({ list }) => list.query.text === "", short: "mark",
		help: "mark or unmark the session", condition: "while nothing is typed", acts: "session", needs: needsRow, run: change(SESSIONS.markAndMove) },
	{ id: "mark", name: "Mark {}, or unmark {}", synonyms: "select, check, choose", keys: ["ctrl+space", "insert", "shift+down"], contexts: LIST, isOn: isMarked, short: "mark",
		help: "mark or unmark the session, or all of a folded project, and go down; so does a click at the left edge",
		acts: "session", needs: needsRow, run: change(SESSIONS.markAndMove) },
	{ id: "mark-here", keys: [], contexts: LIST, help: "mark or unmark the session, without moving",
		acts: "session", needs: needsRow, run: change(SESSIONS.mark) },
	{ id: "mark-all", name: "Mark all listed", synonyms: "select all", keys: [], contexts: LIST, acts: "list",
		help: "mark all listed sessions; if all are marked, unmark them", run: change(SESSIONS.markAll) },
	{ id: "stage", name: "Show only marked, or all sessions", isOn: ({ list }) => list.stage !== undefined, synonyms: "filter, selection", keys: [], contexts: LIST, help: "list only the marked sessions, of all projects, or all again",
		needs: needsMarked, run: change(toggleStage) },
	{ id: "unmark-all", name: "Unmark all", synonyms: "deselect, clear marks", keys: [], contexts: LIST, help: "clear all marks",
		needs: needsMarked, run: change(unmarkAll) },
];

// biome-ignore format: a table
export const UNMARK_KEYS: readonly Key[] = [
	{ id: "back", keys: ["escape"], contexts: LIST, short: "unmark", pi: "tui.select.cancel",
		when: ({ list }) => list.marked.size > 0, help: "clear all marks", condition: "if nothing is typed",
		run: change(unmarkAll) },
];

function unmarkAll(state: State): State {
	const { marked } = state.list;
	const next = CLEARED.with(SESSIONS.unmarkAll(state), { paths: marked });
	const undoing = `brings ${marked.size === 1 ? "it" : "them"} back`;
	return say(next, `${formatCounted(marked.size, "mark")} cleared · ${undoHint(state, undoing)}`);
}

function hasCleared(state: State): boolean {
	return state.list.marked.size === 0 && CLEARED.of(state).paths.size > 0;
}

function markAgain(state: State): State {
	const marked = new Set([...CLEARED.of(state).paths].filter((path) => state.catalog.rows.has(path)));
	return forgetCleared({ ...state, list: { ...state.list, marked } });
}

/** Undo means a later change now. */
export function forgetCleared(state: State): State {
	return CLEARED.with(state, { paths: new Set() });
}

function isMarked(state: State): boolean {
	const row = selectedRow(state);
	return row !== undefined && state.list.marked.has(row.path);
}

function needsRow(state: State): string | undefined {
	// Called with every frame, so it uses the rows that are drawn anyway.
	return selectList(state).rows.length > 0 ? undefined : "There is no session to mark";
}

function needsMarked({ list }: State): string | undefined {
	return list.marked.size > 0 || list.stage !== undefined
		? undefined
		: "Nothing is marked: mark sessions with space or ctrl+space";
}
