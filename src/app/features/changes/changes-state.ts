import type { Comment } from "../../../catalog/model/marks.ts";
import { type EntrySpan, SPANS, type SpanName, spanAround } from "../../../conversation/entries/entry-span.ts";
import { outlineOf } from "../../../conversation/entries/outline.ts";
import type { PutChange } from "../../../edits/put-change.ts";
import type { ChangedFile } from "../../../edits/session-changes.ts";
import { memoLast, sameItems } from "../../../shared/memo.ts";
import { type EditedText, editedText } from "../../../ui/field/edit.ts";
import { cursorIndex, FIRST_CURSOR, NO_MARKED, type PageCursor, type PageMarks } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { openPage } from "../../world/keys/key.ts";
import { agentOfRun, familiesOf, runsBelow } from "../../world/list/families.ts";
import { openedComments } from "../../world/opened/comment-lines.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { runsStartedIn } from "../../world/opened/select-runs.ts";
import { cursorOnFile, type DiffLayout, diffLayout, diffRowsOf } from "../../world/page/file-diffs.ts";
import { defineSlice, type State } from "../../world/state/state.ts";
import { type CommentedRow, withComments } from "./comment-row.ts";
import { type Changes, type ChangesKey, loadChanges, type ShownFile } from "./effects/changes-effects.ts";
import { hunksTakenBack } from "./effects/patch-effects.ts";

interface ChangesState {
	readonly cursor: PageCursor;
	/** Of hunks. */
	readonly marks: PageMarks;
	/** Only files whose path has these words are shown. */
	readonly filter: EditedText;
	readonly span: SpanName;
	/** The entry that was under the cursor when the page was opened, for the spans around it. */
	readonly entryId: string | undefined;
	readonly withRuns: boolean;
	/** Paths of the files that are folded although they would be open, or open although they would be folded. */
	readonly toggled: ReadonlySet<string>;
	/** Whether old and new lines are side by side; undefined: where there is room. */
	readonly isSplit: boolean | undefined;
}

export const CHANGES = defineSlice<ChangesState>("changes", {
	cursor: FIRST_CURSOR,
	marks: NO_MARKED,
	filter: editedText(""),
	span: "session",
	entryId: undefined,
	withRuns: false,
	toggled: new Set(),
	isSplit: undefined,
});

export type ChangesRow = CommentedRow;

/** What was changed in the span, read while the page is open. A session that grows all the time would never be done, if each growth began anew. */
export const CHANGED = defineQuery<ChangesKey, Changes>({
	name: "changes",
	wanted(state) {
		const { session } = state.detail;
		if (session === undefined) return undefined;
		const { span, entryId } = CHANGES.of(state);
		return {
			session,
			span,
			entryId: span === "session" ? undefined : entryId,
			runs: wantedRuns(state),
			isRemote: state.detail.row?.place !== undefined,
			agentOf: agentsOf(state.catalog),
		};
	},
	isSame: (asked, wanted) =>
		asked.session === wanted.session && isSameSpan(asked, wanted) && sameItems(asked.runs, wanted.runs),
	finishes: (asked, wanted) => isSameSpan(asked, wanted) && asked.runs.length === wanted.runs.length,
	load: loadChanges,
	// Until they have been compared again, files stay as and where they were.
	merge(before, changes, key) {
		if (changes.isWhole || before === undefined || !isSameSpan(before.key, key)) return changes;
		const parts = new Map(changes.files.map((file) => [file.path, file]));
		const names = new Set(before.files.flatMap((file) => file.names));
		const files = before.files.map((file) => {
			const part = parts.get(file.path);
			return part === undefined || part.answer === "reading" ? file : part;
		});
		return { ...changes, files: [...files, ...changes.files.filter(({ absolute }) => !names.has(absolute))] };
	},
});

/** The names of the agents of runs, by path. */
const agentsOf =
	({ rows, counts }: State["catalog"]) =>
	(path: string): string => {
		const row = rows.get(path);
		return (row && agentOfRun(row, familiesOf(rows), counts)) || "a subagent";
	};

function isSameSpan(one: ChangesKey, other: ChangesKey): boolean {
	return one.session.path === other.session.path && one.span === other.span && one.entryId === other.entryId;
}

/** The paths of the runs whose changes are shown: those that were started in the span, and the runs below them. */
function wantedRuns(state: State): readonly string[] {
	const { row } = state.detail;
	const { withRuns, span } = CHANGES.of(state);
	if (!withRuns || row === undefined) return [];
	if (span === "session") return runsBelow(row, familiesOf(state.catalog.rows)).map(({ path }) => path);
	return runsStartedIn(state, row, selectSpan(state)?.ids ?? new Set());
}

export function runCount({ detail: { row }, catalog }: State): number {
	return row === undefined ? 0 : runsBelow(row, familiesOf(catalog.rows)).length;
}

export function selectSpan(state: State): EntrySpan | undefined {
	const { session } = state.detail;
	const { span, entryId } = CHANGES.of(state);
	return session && spanAround(session, span, entryId);
}

/** What the page shows; undefined until the first files are known. That of an earlier span stays until then. */
export function selectChanges(state: State): Changes | undefined {
	const { value } = CHANGED.of(state);
	return value?.key.session.path === state.detail.session?.path ? value : undefined;
}

/** The same once all of it is known: what is copied or saved is never a part, or another span. */
export function selectWhole(state: State): Changes | undefined {
	const { isLoading, asked } = CHANGED.of(state);
	const changes = selectChanges(state);
	return isLoading || changes?.key !== asked ? undefined : changes;
}

/** What of the changes is not in the files now, read again after each change. What a branch left behind need not be there. */
export const TAKEN_BACK = defineQuery<Changes, ReadonlyMap<ChangedFile, PutChange["present"]>>({
	name: "hunks taken back",
	wanted(state) {
		const changes = selectWhole(state);
		return changes?.key.span === "branch" || changes?.key.isRemote ? undefined : changes;
	},
	load: ({ key, files }, { slice }) =>
		hunksTakenBack(
			key.session,
			files.flatMap(({ change }) => change ?? []),
			slice,
		),
});

export function selectFiles(state: State): readonly ShownFile[] {
	const changes = selectChanges(state);
	return changes === undefined ? [] : filtered(changes.files, CHANGES.of(state).filter.text);
}

const filtered = memoLast((files: readonly ShownFile[], text: string): readonly ShownFile[] => {
	const words = text.toLowerCase().split(/\s+/).filter(Boolean);
	return words.length === 0
		? files
		: files.filter(({ path }) => words.every((word) => path.toLowerCase().includes(word)));
});

export function selectLayout(state: State): DiffLayout {
	return layoutOf(state.size.columns, CHANGES.of(state).isSplit);
}

const layoutOf = memoLast(diffLayout);

/** More lines than these in one file, or in all files above it, are folded at first: a session may have changed 500 files. */
const MOST_OPEN = 1000;
const MOST_OPEN_IN_ALL = 3000;

export function selectOpen(state: State): ReadonlySet<ShownFile> {
	return openFiles(selectFiles(state), CHANGES.of(state).toggled);
}

const openFiles = memoLast((files: readonly ShownFile[], toggled: ReadonlySet<string>): ReadonlySet<ShownFile> => {
	let all = 0;
	return new Set(
		files.filter(({ path, diffs }) => {
			const lines = diffs.reduce((sum, diff) => sum + diff.lines.length, 0);
			const isOpen = lines <= MOST_OPEN && all + lines <= MOST_OPEN_IN_ALL;
			all += lines;
			return isOpen !== toggled.has(path);
		}),
	);
});

export function selectChangesRows(state: State): readonly ChangesRow[] {
	return rowsOf(selectFiles(state), selectOpen(state), selectLayout(state), openedComments(state));
}

const rowsOf = memoLast(
	(
		files: readonly ShownFile[],
		open: ReadonlySet<ShownFile>,
		layout: DiffLayout,
		comments: readonly Comment[],
	): readonly ChangesRow[] =>
		withComments(
			diffRowsOf(files, (file) => open.has(file), layout),
			comments,
			layout.cells,
		),
);

export function selectedChangesRow(state: State): ChangesRow | undefined {
	const rows = selectChangesRows(state);
	return rows[cursorIndex(CHANGES.of(state).cursor, rows)];
}

/** Whether the entry that the page was opened at is on a branch that was left. */
export function isOnBranch({ detail: { session } }: State, entryId: string | undefined): boolean {
	return session !== undefined && entryId !== undefined && !outlineOf(session).isActive(entryId);
}

/** Opens the page at the entry under the cursor; of a branch that was left it shows the changes there. */
export function openChanges(state: State, name?: SpanName): State {
	const entryId = entryUnderCursor(state)?.id;
	const span = name ?? (isOnBranch(state, entryId) ? "branch" : "session");
	const { toggled } = CHANGES.of(state);
	const isOther = selectChanges(state) === undefined;
	const firstFields = isOther
		? { toggled: new Set<string>(), filter: editedText(""), cursor: FIRST_CURSOR, marks: NO_MARKED }
		: { toggled };
	const next = TAKEN_BACK.renew(CHANGES.with(state, { ...firstFields, entryId }));
	return openPage(withSpan(next, span), "changes");
}

/** The spans that can be shown: without an entry, only one. */
export function spansHere(state: State): readonly SpanName[] {
	const { span: chosen, entryId } = CHANGES.of(state);
	return SPANS.filter(
		(name) => name === chosen || (entryId !== undefined && (name !== "branch" || isOnBranch(state, entryId))),
	);
}

/** Shows the changes of the next branch that was left, after the one that is shown. */
export function toNextLeft(state: State): State {
	const { span, entryId: shownId } = CHANGES.of(state);
	const { leftEnds = [] } = selectChanges(state) ?? {};
	const { session } = state.detail;
	const end =
		session &&
		outlineOf(session)
			.pathThrough(shownId ?? "")
			.at(-1)?.id;
	const at = span === "branch" ? leftEnds.indexOf(end ?? "") : -1;
	const entryId = leftEnds[(at + 1) % leftEnds.length];
	return CHANGES.with(state, { entryId, span: "branch", cursor: FIRST_CURSOR });
}

/** Shows another span, from its first file on. */
export function withSpan(state: State, span: SpanName): State {
	const isSame = CHANGES.of(state).span === span;
	return CHANGES.with(state, isSame ? { span } : { span, cursor: FIRST_CURSOR });
}

export function goToFile(state: State, by: 1 | -1): State {
	const cursor = cursorOnFile(selectChangesRows(state), CHANGES.of(state).cursor, by);
	return cursor === undefined ? state : CHANGES.with(state, { cursor });
}

/** Draws old and new lines side by side, or below each other, with the cursor on the same line. */
export function toggleLayout(state: State): State {
	const row = selectedChangesRow(state);
	const isSplit = !selectLayout(state).isSplit;
	// What the width asks for is not chosen: another width may ask for the other.
	const isUsual = isSplit === diffLayout(state.size.columns).isSplit;
	const next = CHANGES.with(state, { isSplit: isUsual ? undefined : isSplit });
	if (row === undefined || row.index === -1) return next;
	const sameRow = selectChangesRows(next).find(
		({ file, diff, shows }) =>
			file === row.file &&
			diff === row.diff &&
			(row.shows.length === 0 || shows.some((line) => row.shows.includes(line))),
	);
	return sameRow === undefined
		? next
		: CHANGES.with(next, { cursor: { ...CHANGES.of(next).cursor, selected: sameRow.key } });
}

/** Folds or unfolds the file under the cursor, which goes to its heading. */
export function toggleFile(state: State, { file }: ChangesRow): State {
	const { toggled, cursor } = CHANGES.of(state);
	const selected = file.path;
	return CHANGES.with(state, {
		toggled: toggled.symmetricDifference(new Set([selected])),
		cursor: { ...cursor, selected },
	});
}

/** Folds all files, or unfolds them if all are folded. */
export function toggleFiles(state: State): State {
	const files = selectFiles(state);
	const open = selectOpen(state);
	const { toggled, cursor } = CHANGES.of(state);
	const toggledFiles = open.size > 0 ? [...open] : files;
	const paths = new Set(toggledFiles.map(({ path }) => path));
	const selected = selectedChangesRow(state)?.file.path;
	return CHANGES.with(state, { toggled: toggled.symmetricDifference(paths), cursor: { ...cursor, selected } });
}
