import { isPinned } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { changedSession } from "../../../changes/noted/marks.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { span } from "../../../ui/text/line.ts";
import { change, type Key, onChosen } from "../../world/keys/key.ts";
import { moveInList } from "../../world/list/list-view.ts";
import { chosenRows, markShown, toggleMark, toggleStage, unmarkAll } from "../../world/list/marked.ts";
import { selectedRow, selectList } from "../../world/list/select-list.ts";
import { archiveOrBringBack } from "../../world/questions/ask.ts";
import { shareMenu } from "../../world/questions/share-menu.ts";
import { subjectRow } from "../../world/screen/menus.ts";
import { PANES } from "../../world/state/binding.ts";
import { type PromptOverlay, withOverlay } from "../../world/state/overlays.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { tagPrompt } from "./tag-prompt.ts";

const LIST = ["list"] as const;

// Marks belong to sessions: they survive other queries, scopes and orders.
// biome-ignore format: a table
export const SEVERAL_KEYS: readonly Key[] = [
	// A query cannot begin with a blank, so on an empty one the blank marks.
	{ id: "mark", keys: [" "], contexts: LIST, when: ({ list }) => list.query.text === "", short: "mark",
		help: "mark or unmark the session, while nothing is typed", acts: "session", needs: needsRow, run: change(markAndMove) },
	{ id: "mark", name: "Mark, or unmark", synonyms: "select, check, choose", keys: ["ctrl+space", "insert", "shift+down"], contexts: LIST, isOn: isMarked, short: "mark",
		help: "mark or unmark the session (on a folded project, all of them), and go to the next; so does a click on the sign",
		acts: "session", needs: needsRow, run: change(markAndMove) },
	{ id: "mark-here", keys: [], contexts: LIST, help: "mark or unmark the session, and stay on it",
		acts: "session", needs: needsRow, run: change(toggleMark) },
	{ id: "mark-all", name: "Mark all listed", synonyms: "select all", keys: [], contexts: LIST, acts: "list",
		help: "mark all listed sessions; if all are marked, unmark them", run: change(markAll) },
	{ id: "stage", name: "Show only the marked, or all", synonyms: "filter, selection", keys: [], contexts: LIST, help: "only the marked sessions, wherever they are, or all again",
		needs: needsMarked, run: change(toggleStage) },
	{ id: "label", keys: [], contexts: LIST,
		help: "label the end of all marked sessions, or of the one under the cursor",
		...onChosen("label", (state, rows) => withOverlay(state, labelEndsPrompt(rows))) },
	{ id: "export", keys: [], contexts: LIST,
		help: "save all marked sessions, or the one under the cursor, as web pages or as Markdown, with private data masked",
		...onChosen("save", (state, rows) => withOverlay(state, shareMenu(state, rows)), { where: "anywhere" }) },
	{ id: "unmark-all", name: "Unmark all", synonyms: "deselect, clear marks", keys: [], contexts: LIST, help: "clear all marks",
		needs: needsMarked, run: change(unmark) },
];

// biome-ignore format: a table
export const UNMARK_KEYS: readonly Key[] = [
	{ id: "back", keys: ["escape"], contexts: LIST, short: "unmark", pi: "tui.select.cancel",
		when: ({ list }) => list.marked.size > 0, help: "clear all marks, once the filter is empty",
		run: change(unmark) },
];

function labelEndsPrompt(rows: readonly SessionRow[]): PromptOverlay {
	return {
		kind: "prompt",
		title: rows.length === 1 ? "Label the end of the session" : "Label the end of each session",
		body: [subjectRow(rows), [span("The label goes to the last entry. Empty removes the label there.", "muted")]],
		value: editedText(""),
		submit: (state, label) =>
			transition(state, {
				type: "change-sessions",
				change: { type: "label", label },
				sessions: rows.map((row) => ({ row, uses: [] })),
			}),
	};
}

function isMarked(state: State): boolean {
	const row = selectedRow(state);
	return row !== undefined && state.list.marked.has(row.path);
}

function markAndMove(state: State): State {
	return moveInList(toggleMark(state), { rows: 1 });
}

function markAll(state: State): State {
	const next = markShown(state);
	const [oldCount, newCount] = [state.list.marked.size, next.list.marked.size];
	if (oldCount === newCount) return say(next, "There is no session to mark", "warning");
	return newCount > oldCount
		? say(next, `${formatCounted(newCount - oldCount, "session")} marked`)
		: say(next, `${formatCounted(oldCount - newCount, "mark")} cleared`);
}

function unmark(state: State): State {
	return say(unmarkAll(state), `${formatCounted(state.list.marked.size, "mark")} cleared`);
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

// biome-ignore format: a table
export const MARKS_KEYS: readonly Key[] = [
	{ id: "pin", name: "Pin, or unpin", synonyms: "star, favorite, keep on top", keys: [], contexts: PANES, isOn: arePinned,
		help: "pin the session to the top of the list, in every order, or unpin it",
		...onChosen("pin", pin, { refuse: withoutId, where: "anywhere" }) },
	{ id: "tags", name: "Tags…", synonyms: "tag, mark, category", keys: [], contexts: PANES, help: "add tags to the session, or remove them",
		...onChosen("tag", (state, rows) => withOverlay(state, tagPrompt(state, withIds(rows))), { refuse: withoutId, where: "anywhere" }) },
	{ id: "archive", name: "Archive, or bring back", synonyms: "hide, put away, unarchive, done", keys: [], contexts: ["list"], isOn: isArchived, help: "move the session to the archive, or bring it back",
		...onChosen("archive", archiveOrBringBack) },
];

/** Without files that have no session id: a mark names it. */
function withIds(rows: readonly SessionRow[]): readonly SessionRow[] {
	return rows.filter(({ id }) => id !== "");
}

function arePinned(state: State): boolean {
	const rows = withIds(chosenRows(state));
	return rows.length > 0 && rows.every((row) => isPinned(row, state.marks));
}

function isArchived(state: State): boolean {
	const rows = chosenRows(state);
	return rows.length > 0 && rows.every(({ archived }) => archived === true);
}

function pin(state: State, rows: readonly SessionRow[]): Transition {
	const pinned = withIds(rows);
	const on = !arePinned(state);
	const changes = pinned.map((row) => ({ ...changedSession(row), on }));
	return transition(state, { type: "mark", paths: pinned.map(({ path }) => path), changes });
}

function withoutId({ id }: SessionRow): string | undefined {
	return id === "" ? "This file has no session id, which pins and tags need" : undefined;
}
