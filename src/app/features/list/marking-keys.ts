import { change, type Key } from "../../world/keys/key.ts";
import { toggleStage } from "../../world/list/marked.ts";
import { selectedRow, selectList } from "../../world/list/select-list.ts";
import type { State } from "../../world/state/state.ts";
import { SESSIONS } from "./session-rows.ts";

const LIST = ["list"] as const;

// biome-ignore format: a table
export const MARKING_KEYS: readonly Key[] = [
	// A query cannot begin with a blank, so on an empty one the blank marks.
	{ id: "mark", keys: [" "], contexts: LIST, when: ({ list }) => list.query.text === "", short: "mark",
		help: "mark or unmark the session", condition: "while nothing is typed", acts: "session", needs: needsRow, run: change(markAndMove) },
	{ id: "mark", name: "Mark, or unmark", synonyms: "select, check, choose", keys: ["ctrl+space", "insert", "shift+down"], contexts: LIST, isOn: isMarked, short: "mark",
		help: "mark or unmark the session, or all of a folded project, and go down; so does a click at the left edge",
		acts: "session", needs: needsRow, run: change(markAndMove) },
	{ id: "mark-here", keys: [], contexts: LIST, help: "mark or unmark the session, without moving",
		acts: "session", needs: needsRow, run: change(SESSIONS.mark) },
	{ id: "mark-all", name: "Mark all listed", synonyms: "select all", keys: [], contexts: LIST, acts: "list",
		help: "mark all listed sessions; if all are marked, unmark them", run: change(SESSIONS.markAll) },
	{ id: "stage", name: "Show only marked, or all sessions", isOn: ({ list }) => list.stage !== undefined, synonyms: "filter, selection", keys: [], contexts: LIST, help: "list only the marked sessions, of all projects, or all again",
		needs: needsMarked, run: change(toggleStage) },
	{ id: "unmark-all", name: "Unmark all", synonyms: "deselect, clear marks", keys: [], contexts: LIST, help: "clear all marks",
		needs: needsMarked, run: change(SESSIONS.unmarkAll) },
];

// biome-ignore format: a table
export const UNMARK_KEYS: readonly Key[] = [
	{ id: "back", keys: ["escape"], contexts: LIST, short: "unmark", pi: "tui.select.cancel",
		when: ({ list }) => list.marked.size > 0, help: "clear all marks", condition: "if nothing is typed",
		run: change(SESSIONS.unmarkAll) },
];

function isMarked(state: State): boolean {
	const row = selectedRow(state);
	return row !== undefined && state.list.marked.has(row.path);
}

function markAndMove(state: State): State {
	return SESSIONS.move(SESSIONS.mark(state), { rows: 1 });
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
