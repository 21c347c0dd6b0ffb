import type { SpanName } from "../../../conversation/entries/entry-span.ts";
import type { SessionEdit } from "../../../edits/session-files.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { change, type Key, onSelected } from "../../world/keys/key.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { atEntry } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { goToTree } from "../../world/page/way-back.ts";
import type { Binding } from "../../world/state/binding.ts";
import { closeOverlay, closePage, openPage } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { CHANGES_PAGE, FILTER_PAGE } from "./changes-page.ts";
import {
	CHANGES,
	goToFile,
	isOnBranch,
	openChanges,
	runCount,
	selectChanges,
	selectedRow,
	selectLayout,
	selectOpen,
	toggleFile,
	toggleFiles,
	toggleLayout,
	withSpan,
} from "./changes-state.ts";
import { editOfRow } from "./row-edits.ts";

const HERE = ["changes"] as const;
const TYPING = ["changes-filter"] as const;
const ENTRIES = ["tree", "reader"] as const;

// Letters are keys here, as in the reader; behind / they are text.
// biome-ignore format: a table
const CHANGES_KEYS: readonly Key[] = [
	{ id: "changes", name: "Changes of the session", synonyms: "files, changed, edits, diff, patch, blame", keys: ["tab"], contexts: ["branches"], short: "changes", acts: "entry", needs: needsSession,
		help: "show what the branch under the cursor changed, file after file", run: change((state) => openChanges(state)) },
	{ id: "changes", keys: [], contexts: ENTRIES, help: "show what the session changed on its active path, file after file", acts: "entry", needs: needsSession, run: change((state) => openChanges(state, "session")) },
	{ id: "changes-turn", name: "Changes of this turn", synonyms: "files, diff, patch", keys: [], contexts: ENTRIES, help: "show what the turn under the cursor changed", ...opens("turn") },
	{ id: "changes-since", name: "Changes since this entry", synonyms: "files, diff, patch", keys: [], contexts: ENTRIES, help: "show what was changed after the entry under the cursor", ...opens("since") },
	{ id: "changes-branch", name: "Changes of this branch", synonyms: "files, diff, patch", keys: [], contexts: [...ENTRIES, "branches"], help: "show what the branch under the cursor changed since it left the active path",
		...opens("branch", (state) => isOnBranch(state, entryUnderCursor(state)?.id) ? undefined : "Move to a branch that was left") },
	{ id: "go-to-turn", keys: ["enter", "right"], contexts: HERE, short: "turn", help: "go to the step that made the change, in the tree of its session; back leads here again",
		...onSelected(selectedEdit, "Nothing was changed here", goToEdit) },
	{ id: "next-file", keys: ["n"], contexts: HERE, short: "or p file", help: "to the next file", run: change((state) => goToFile(state, 1)) },
	{ id: "previous-file", keys: ["p"], contexts: HERE, help: "to the previous file", run: change((state) => goToFile(state, -1)) },
	{ id: "fold-file", keys: ["o"], contexts: HERE, short: (state) => isOpen(state) ? "fold" : "unfold", help: "fold the file under the cursor, or unfold it",
		...onSelected(selectedRow, "There is no file here", toggleFile) },
	{ id: "fold-files", keys: ["O"], contexts: HERE, help: "fold all files, or unfold them", run: change(toggleFiles) },
	{ id: "layout", keys: ["d"], contexts: HERE, short: (state) => selectLayout(state).isSplit ? "unified" : "side by side", help: "show old and new lines side by side, or below each other",
		run: change(toggleLayout) },
	{ id: "page-down", keys: [" "], contexts: HERE, help: "one page down", run: change((state) => CHANGES_PAGE.move(state, { pages: 1 })) },
	{ id: "find", keys: ["/"], contexts: HERE, short: "filter", help: "show only files whose path has the words that you type", run: change((state) => openPage(state, "changes", "changes-filter")) },
	{ id: "filter-done", keys: ["enter"], contexts: TYPING, short: "done", help: "end typing: letters are keys again", run: change(closeOverlay) },
	{ id: "span-session", keys: ["s"], contexts: HERE, help: "show what the session changed on its active path", run: change((state) => withSpan(state, "session")) },
	{ id: "span-turn", keys: ["t"], contexts: HERE, help: "show what the turn changed from which the page was opened", ...spans("turn") },
	{ id: "span-branch", keys: ["l"], contexts: HERE, help: "show what the branch changed from which the page was opened",
		...spans("branch", (state) => isOnBranch(state, CHANGES.of(state).entryId) ? undefined : "The page was opened on the active path") },
	{ id: "span-since", keys: ["e"], contexts: HERE, help: "show what was changed after the entry from which the page was opened", ...spans("since") },
	{ id: "with-runs", name: "Include runs, or leave out runs", isOn: (state) => CHANGES.of(state).withRuns, synonyms: "subagents", keys: ["r"], contexts: HERE, help: "show what runs of subagents changed, too",
		needs: (state) => runCount(state) > 0 ? undefined : "The session has no runs of subagents",
		run: change((state) => CHANGES.with(state, { withRuns: !CHANGES.of(state).withRuns })) },
	{ id: "back", keys: ["escape"], contexts: HERE, short: "clear", when: (state) => CHANGES.of(state).filter.text !== "", pi: "tui.select.cancel",
		help: "clear the filter", condition: "if files are filtered", run: change((state) => CHANGES.with(state, { filter: editedText("") })) },
	{ id: "cancel", keys: ["left"], contexts: HERE, short: "back", help: "back to where you were", run: change((state) => closePage(state, "changes")) },
	{ id: "to-tree", keys: ["tab"], contexts: HERE, help: "to the session's tree", run: change((state) => closePage({ ...state, focus: "tree" }, "changes")) },
];

function needsSession({ detail }: State): string | undefined {
	return detail.session === undefined ? "There is no session to look at" : undefined;
}

/** A command that opens the page with a span around the entry under the cursor. */
function opens(
	span: SpanName,
	refuse: (state: State) => string | undefined = () => undefined,
): Pick<Key, "acts" | "needs" | "run"> {
	const needs = (state: State): string | undefined =>
		needsSession(state) ?? (entryUnderCursor(state) === undefined ? "There is no entry here" : refuse(state));
	return { acts: "entry", needs, run: change((state) => openChanges(state, span)) };
}

/** A key that shows another span around the entry at which the page was opened. */
function spans(
	span: SpanName,
	refuse: (state: State) => string | undefined = () => undefined,
): Pick<Binding, "needs" | "run"> {
	const needs = (state: State): string | undefined =>
		CHANGES.of(state).entryId === undefined ? "Open the page from an entry of the tree" : refuse(state);
	return { needs, run: change((state) => withSpan(state, span)) };
}

function isOpen(state: State): boolean {
	const file = selectedRow(state)?.file;
	return file !== undefined && selectOpen(state).has(file);
}

/** The edit that the row under the cursor is about. */
function selectedEdit(state: State): SessionEdit | undefined {
	const row = selectedRow(state);
	const changes = selectChanges(state);
	return row && changes && editOfRow(row, changes, state.environment.home);
}

/** Closes the page, with the cursor of the tree on the edit. */
function goToEdit(state: State, { entryId: id, session }: SessionEdit): State {
	if (id === "") return state;
	if (session !== state.detail.session?.path) return goToTree(state, session, (now) => atEntry(now, id));
	return closePage({ ...atEntry(state, id), focus: "tree" }, "changes");
}

export const CHANGES_FEATURE: Feature = {
	page: CHANGES_PAGE,
	keys: { section: "Changes of files", keys: CHANGES_KEYS },
	on: {},
};

export const CHANGES_FILTER_FEATURE: Feature = { page: FILTER_PAGE, on: {} };

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly changes: true;
		readonly "changes-filter": true;
	}
}
