import { fileName, type SessionRow } from "../../../catalog/model/row.ts";
import type { SpanName } from "../../../conversation/entries/entry-span.ts";
import { sessionTitle, titleText } from "../../../conversation/entries/session-title.ts";
import { excerptName } from "../../../conversation/markdown/excerpt.ts";
import type { Direction } from "../../../edits/put-change.ts";
import type { SessionEdit } from "../../../edits/session-files.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { change, type Key, onSelected, onSession, whyOnlyRead } from "../../world/keys/key.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { atEntry } from "../../world/opened/select-tree.ts";
import type { Feature } from "../../world/page/page.ts";
import { goToTree } from "../../world/page/way-back.ts";
import { rowsForFiles } from "../../world/screen/menus.ts";
import type { Binding } from "../../world/state/binding.ts";
import { closePage } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { type Transition, transition } from "../../world/state/state.ts";
import { blameRow, commentRow, whyNoChangedLine } from "./blame-row.ts";
import { CHANGES_PAGE } from "./changes-page.ts";
import {
	CHANGED,
	CHANGES,
	type ChangesRow,
	goToFile,
	isOnBranch,
	openChanges,
	runCount,
	selectChanges,
	selectedChangesRow,
	selectFiles,
	selectLayout,
	selectOpen,
	selectSpan,
	selectWhole,
	spansHere,
	TAKEN_BACK,
	toggleFile,
	toggleFiles,
	toggleLayout,
	toNextLeft,
	withSpan,
} from "./changes-state.ts";
import type { ShownFile } from "./effects/changes-effects.ts";
import type { Patch } from "./effects/patch-effects.ts";
import { type ChosenHunks, chosenHunks, markedWords, markHunk } from "./marked-hunks.ts";
import { editOfRow } from "./row-edits.ts";

const HERE = ["changes"] as const;
const ENTRIES = ["tree", "reader"] as const;
const NO_FILE = "There is no file here";
const STILL_READ = "The changes are still being read";

// biome-ignore format: a table
const CHANGES_KEYS: readonly Key[] = [
	{ id: "changes", name: "Changes of the session", synonyms: "files, changed, edits, diff, patch, blame", keys: ["tab"], contexts: ["branches"], short: "changes", acts: "entry", needs: needsSession,
		help: "show what the branch under the cursor changed, file after file", run: change((state) => openChanges(state)) },
	{ id: "changes", keys: [], contexts: ENTRIES, help: "show what the session changed on its active path, file after file", acts: "entry", needs: needsSession, run: change((state) => openChanges(state, "session")) },
	{ id: "changes", keys: [], contexts: ["list"], help: "open the session, and show what it changed on its active path, file after file",
		...onSession("look at", (state, { path }) => transition(goToTree(state, path, (now) => openChanges(now, "session"))), { where: "anywhere" }) },
	{ id: "changes-turn", name: "Changes of this turn", synonyms: "files, diff, patch", keys: [], contexts: ENTRIES, help: "show what the turn under the cursor changed", ...opens("turn") },
	{ id: "changes-since", name: "Changes since this entry", synonyms: "files, diff, patch", keys: [], contexts: ENTRIES, help: "show what was changed after the entry under the cursor", ...opens("since") },
	{ id: "changes-branch", name: "Changes of this branch", synonyms: "files, diff, patch", keys: [], contexts: [...ENTRIES, "branches"], help: "show what the branch under the cursor changed since it left the active path",
		...opens("branch", (state) => isOnBranch(state, entryUnderCursor(state)?.id) ? undefined : "Move to a branch that was left") },
	{ id: "left-branches", keys: ["enter"], contexts: HERE, short: "branches left", when: (state) => selectFiles(state).length === 0, help: "show what a branch changed that was left", condition: "where nothing else was changed", ...leftBranches() },
	{ id: "go-to-turn", keys: ["enter", "right"], contexts: HERE, short: "turn", help: "go to the step that made the change, in the tree of its session; back leads here again",
		...onSelected(selectedEdit, "Nothing was changed here", goToEdit) },
	{ id: "left-branches", name: "Changes of branches left", synonyms: "abandoned, other branches", keys: [], contexts: HERE, help: "show what a branch changed that was left; again: the next one", ...leftBranches() },
	{ id: "comment", name: "Comment on this line…", synonyms: "note, annotate, feedback", keys: [], contexts: HERE, short: "comment", help: "write a comment on the line under the cursor, or change the one that is there; an empty text deletes it",
		...onSelected(selectedChangesRow, NO_FILE, commentRow, whyNoChangedLine) },
	{ id: "blame", keys: [], contexts: HERE, short: "blame", help: "say which session, turn and commit the line comes from; the arrow keys go to other lines",
		...onSelected(selectedChangesRow, NO_FILE, blameRow, whyNoChangedLine) },
	{ id: "next-file", keys: [], contexts: HERE, short: "next file", help: "to the next file", run: change((state) => goToFile(state, 1)) },
	{ id: "previous-file", keys: [], contexts: HERE, help: "to the previous file", run: change((state) => goToFile(state, -1)) },
	{ id: "fold-file", keys: [], contexts: HERE, short: (state) => isOpen(state) ? "fold" : "unfold", help: "fold the file under the cursor, or unfold it",
		...onSelected(selectedChangesRow, NO_FILE, toggleFile) },
	{ id: "fold-files", keys: [], contexts: HERE, help: "fold all files, or unfold them", run: change(toggleFiles) },
	{ id: "layout", keys: [], contexts: HERE, short: (state) => selectLayout(state).isSplit ? "unified" : "side by side", help: "show old and new lines side by side, or below each other",
		run: change(toggleLayout) },
	{ id: "next-page", keys: [], contexts: HERE, short: "page", help: "one page down", run: change((state) => CHANGES_PAGE.move(state, { pages: 1 })) },
	{ id: "copy-patch", name: "Copy the patch of this file", synonyms: "diff, clipboard, yank", keys: [], contexts: HERE, acts: "entry", short: "copy patch", help: "copy what was changed in the file under the cursor, as a patch",
		...onSelected((state) => patchOfFile(state), STILL_READ, takePatch("clipboard"), whyNoPatch) },
	{ id: "copy-patches", name: "Copy the patch of all files", synonyms: "diff, clipboard, yank", keys: [], contexts: HERE, acts: "entry", help: "copy what was changed in all files that are shown, as a patch",
		...onSelected(patchOfAll, STILL_READ, takePatch("clipboard"), whyNoPatch) },
	{ id: "save-patch", name: "Save as patch", synonyms: "diff, export, write", keys: [], contexts: HERE, acts: "entry", help: "save what was changed in all files that are shown, as a patch",
		...onSelected(patchOfAll, STILL_READ, takePatch("file"), whyNoPatch) },
	{ id: "open-patch", name: "Open the patch in the pager", synonyms: "less, PAGER, diff", keys: [], contexts: HERE, acts: "entry", help: "open what was changed in all files that are shown in $PAGER",
		...onSelected(patchOfAll, STILL_READ, takePatch("pager"), whyNoPatch) },
	{ id: "take-back", name: "Take this back…, or take back all marked…", isOn: hasMarks, about: markedWords, synonyms: "revert, undo, discard, reject, restore, hunk, file", keys: [], contexts: HERE, acts: "entry", short: takeBackWords, help: "take back this hunk in the file as it is now; on a heading, all of the file; or all marked hunks; after a preview",
		...onSelected(chosenHunks, NO_FILE, putHunks("revert"), whyNotHere) },
	{ id: "mark-hunk", keys: ["ctrl+space", "shift+down"], contexts: HERE, short: "mark", help: "mark or unmark the hunk, on a heading the file, and go to the next; so does a click at the left edge",
		...onSelected(selectedChangesRow, NO_FILE, markHunk) },
	{ id: "take-back-all", name: "Take all of this back…", synonyms: "revert, undo, discard, reject, restore", keys: [], contexts: HERE, acts: "entry", help: "take back what was changed in all files that are shown, after a preview",
		...onSelected(patchOfAll, STILL_READ, putPatch("revert"), whyNotHere) },
	{ id: "put-here", name: "Put this here…, or put all marked here…", isOn: hasMarks, about: markedWords, synonyms: "apply, redo, pick, hunk, file", keys: [], contexts: HERE, acts: "entry", help: "put this hunk, or on a heading the changes of the file, or all marked hunks, into the files as they are now, after a preview",
		...onSelected(chosenHunks, NO_FILE, putHunks("apply"), whyNotHere) },
	{ id: "put-all-here", name: "Put these changes here…", synonyms: "apply, redo, pick", keys: [], contexts: HERE, acts: "entry", help: "put what was changed in all files that are shown into the files as they are now, after a preview",
		...onSelected(patchOfAll, STILL_READ, putPatch("apply"), whyNotHere) },
	{ id: "open-file", name: "Open the file in the editor", synonyms: "vim, EDITOR", keys: [], contexts: HERE, help: "open the file under the cursor as it is now in $VISUAL or $EDITOR, at the line",
		...onSelected(selectedChangesRow, NO_FILE, editFile, (state) => state.detail.row && whyElsewhere(state.detail.row)) },
	{ id: "file-as-of", name: "Show this file as it was here", synonyms: "version, then, PAGER", keys: [], contexts: HERE, help: "show the whole file in $PAGER as the step that the cursor is on left it; on a heading, as it was at the end",
		...onSelected(selectedChangesRow, NO_FILE, showFileAsOf) },
	{ id: "resume-from-turn", name: "Resume from this turn…", synonyms: "continue, rewind, go on, pi", keys: [], contexts: HERE, help: "choose where to resume from at the step that made the change",
		...onSelected(selectedEdit, "Nothing was changed here", thenRun("resume"), whyOnlyReadHere) },
	{ id: "files-as-of", name: "Files as they were at this step…", synonyms: "checkout, restore, worktree, version", keys: [], contexts: HERE, help: "make a directory with the files as they were after the step that made the change",
		...onSelected(selectedEdit, "Nothing was changed here", thenRun("files-at"), whyOnlyReadHere) },
	{ id: "next-span", keys: ["ctrl+o"], contexts: HERE, short: "range", needs: (state) => spansHere(state).length > 1 ? undefined : "The page was opened for the whole session", help: "the next of: the session, the branch, the turn, everything since, around the entry from which the page was opened", run: change(toNextSpan) },
	{ id: "span-session", keys: [], contexts: HERE, help: "show what the session changed on its active path", run: change((state) => withSpan(state, "session")) },
	{ id: "span-turn", keys: [], contexts: HERE, help: "show what the turn changed from which the page was opened", ...spans("turn") },
	{ id: "span-branch", keys: [], contexts: HERE, help: "show what the branch changed from which the page was opened",
		...spans("branch", (state) => isOnBranch(state, CHANGES.of(state).entryId) ? undefined : "The page was opened on the active path") },
	{ id: "span-since", keys: [], contexts: HERE, help: "show what was changed after the entry from which the page was opened", ...spans("since") },
	{ id: "with-runs", name: "Include runs, or leave out runs", isOn: (state) => CHANGES.of(state).withRuns, synonyms: "subagents", keys: [], contexts: HERE, help: "show what runs of subagents changed, too",
		needs: (state) => runCount(state) > 0 ? undefined : "The session has no runs of subagents",
		run: change((state) => CHANGES.with(state, { withRuns: !CHANGES.of(state).withRuns })) },
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

function leftBranches(): Pick<Binding, "needs" | "run"> {
	const needs = (state: State): string | undefined =>
		(selectChanges(state)?.leftEnds.length ?? 0) > 0 ? undefined : "No branch that was left changed a file";
	return { needs, run: change(toNextLeft) };
}

function toNextSpan(state: State): State {
	const names = spansHere(state);
	return withSpan(state, names[(names.indexOf(CHANGES.of(state).span) + 1) % names.length] ?? "session");
}

function isOpen(state: State): boolean {
	const file = selectedChangesRow(state)?.file;
	return file !== undefined && selectOpen(state).has(file);
}

function selectedEdit(state: State): SessionEdit | undefined {
	const row = selectedChangesRow(state);
	const changes = selectChanges(state);
	return row && changes && editOfRow(row, changes, state.environment.home);
}

/** Closes the page, with the cursor of the tree on the edit. */
function goToEdit(state: State, { entryId: id, session }: SessionEdit): State {
	if (id === "") return state;
	if (session !== state.detail.session?.path) return goToTree(state, session, (now) => atEntry(now, id));
	return closePage({ ...atEntry(state, id), focus: "tree" }, "changes");
}

/** Goes to the edit in the tree, and runs a command there, where its questions are asked. */
function thenRun(id: "resume" | "files-at"): (state: State, edit: SessionEdit) => State {
	return (state, edit) => ({ ...goToEdit(state, edit), waiting: [{ type: "command", id, at: state.now }] });
}

function whyOnlyReadHere({ detail: { row } }: State): string | undefined {
	return row && whyOnlyRead(row);
}

function patchOfFile(state: State): Patch | undefined {
	const file = selectedChangesRow(state)?.file;
	return file && patchFrom(state, [file], `the patch of ${fileName(file.path)}`, fileName(file.path));
}

function patchOfAll(state: State): Patch | undefined {
	const files = selectFiles(state);
	const { row } = state.detail;
	const name = row === undefined ? "session" : titleText(row);
	return patchFrom(state, files, `the patch of ${formatCounted(files.length, "file")}`, name);
}

/** A patch; undefined while the changes are being read. */
function patchFrom(state: State, files: readonly ShownFile[], what: string, name: string): Patch | undefined {
	const { session, row } = state.detail;
	if (session === undefined || selectWhole(state) === undefined) return undefined;
	const isRemote = row?.place !== undefined;
	return {
		session,
		isRemote,
		files: files.flatMap(({ change: one }) => one ?? []),
		what,
		name: excerptName({ of: "branch", title: name, entryId: "" }),
	};
}

function whyNoPatch(_: State, { files }: Patch): string | undefined {
	const isSame = files.every(({ answer, before, after }) => answer !== "edits" && before === after);
	return isSame ? "Nothing differs in the end, so there is no patch" : undefined;
}

function takePatch(to: "clipboard" | "file" | "pager"): (state: State, patch: Patch) => Transition {
	return (state, patch) => transition(state, { type: "take-patch", patch, to });
}

function whyNotHere({ detail: { row } }: State): string | undefined {
	return row && whyElsewhere(row);
}

function putPatch(
	direction: Direction,
	hunks: ChosenHunks["lines"] = new Map(),
): (state: State, patch: Patch) => Transition {
	return (state, patch) => {
		const { row } = state.detail;
		const about = { title: row === undefined ? "" : sessionTitle(row), commands: selectChanges(state)?.commands ?? [] };
		return transition(state, { type: "put-changes", direction, patch, ...about, hunks, rows: rowsForFiles(state) });
	};
}

function putHunks(direction: Direction): (state: State, chosen: ChosenHunks) => Transition {
	return (state, chosen) => {
		const patch = patchFrom(state, chosen.files, "", "");
		if (patch === undefined) return transition({ ...state, message: { text: STILL_READ, tone: "muted" } });
		return putPatch(direction, chosen.lines)(state, patch);
	};
}

function hasMarks(state: State): boolean {
	return CHANGES.of(state).marks.marked.size > 0;
}

function takeBackWords(state: State): string {
	const { size } = CHANGES.of(state).marks.marked;
	if (size > 0) return `take back ${formatCounted(size, "hunk")}`;
	return `take back ${chosenHunks(state)?.count === undefined ? "file" : "hunk"}`;
}

function whyElsewhere({ place }: SessionRow): string | undefined {
	return place === undefined ? undefined : `The session is in ${place}, and so are its files`;
}

function editFile(state: State, { file, shows }: ChangesRow): Transition {
	const line = shows.at(-1);
	const cwd = state.detail.session?.header?.cwd ?? "";
	return transition(state, { type: "edit-file", path: file.absolute, line: line?.after ?? line?.before, cwd });
}

/** Shows the file as the edit under the cursor left it; on its heading, as it was at the end of what is shown. */
function showFileAsOf(state: State, row: ChangesRow): Transition {
	const changes = selectChanges(state);
	const edit = selectedEdit(state);
	const session = changes?.sessions.get(edit?.session ?? "");
	if (changes === undefined || edit === undefined || session === undefined) return transition(state);
	const isEnd = row.index === -1 && session === changes.key.session;
	const entryId = (isEnd ? selectSpan(state)?.to : undefined) ?? edit.entryId;
	return transition(state, { type: "show-file-as-of", session, path: row.file.absolute, entryId });
}

export const CHANGES_FEATURE: Feature = {
	page: CHANGES_PAGE,
	keys: { section: "Changes of files", keys: CHANGES_KEYS },
	// What confirms the texts may be another sight then.
	on: { changed: (state) => TAKEN_BACK.renew(CHANGED.renew(state)) },
};

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly changes: true;
	}
}
