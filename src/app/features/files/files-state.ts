import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import { type EditedFile, editedFiles, type SessionEdit, type SessionEdits } from "../../../edits/session-files.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { FIRST_CURSOR, type PageCursor, type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { familiesOf, runsBelow } from "../../world/list/families.ts";
import { defineSlice, type State, shownSession, type Transition, transition } from "../../world/state/state.ts";

/** The page of the files that the open session has changed. */
interface FilesState {
	readonly cursor: PageCursor;
	/** Paths of the files whose edits are shown. */
	readonly opened: ReadonlySet<string>;
	/** What was found last, and in which state of the session. */
	readonly found: FoundFiles | undefined;
	/** The session whose edits are being gathered. */
	readonly gathering: Session | undefined;
	/** Whether the diff of a file is of all its edits together, instead of one edit after the other. */
	readonly isSummed: boolean;
	/** The summed-up edits of each file in `found` for which they were requested, by path. */
	readonly sums: ReadonlyMap<string, FileSum>;
	readonly summing: EditedFile | undefined;
	/** Rows of the diff above its pane. */
	readonly scrolled: number;
}

/** The files of a session and of the runs of subagents below it. */
interface FoundFiles extends Omit<SessionEdits, "edits">, Omit<GatheredFiles, "found"> {
	readonly files: readonly EditedFile[];
}

/** What was gathered of a session, as it was when that was asked for. */
export interface GatheredFiles {
	readonly session: Session;
	/** Paths of the runs below it. */
	readonly runs: readonly string[];
	/** Number of these that could not be read. */
	readonly unread: number;
	/** False while the runs are being read. */
	readonly isWhole: boolean;
	readonly found: SessionEdits;
}

/** The diff of all edits of a file together; without `lines` it cannot be had. */
export interface FileSum {
	readonly lines?: readonly DiffLine[];
	/** Why it may not be all, or cannot be had; "" if it is exact. */
	readonly why: string;
}

export const FILES = defineSlice<FilesState>("files", {
	cursor: FIRST_CURSOR,
	opened: new Set(),
	found: undefined,
	gathering: undefined,
	isSummed: true,
	sums: new Map(),
	summing: undefined,
	scrolled: 0,
});

export type FilesRow = PageRow & { readonly file: EditedFile; readonly edit?: SessionEdit };

export function selectFilesRows(state: State): readonly FilesRow[] {
	return rowsOf(selectFound(state), FILES.of(state).opened);
}

/** The files of the open session; undefined until they have been gathered. Those of a shorter one stay meanwhile. */
export function selectFound(state: State): FoundFiles | undefined {
	const { found } = FILES.of(state);
	return found?.session.path === shownSession(state.detail)?.path ? found : undefined;
}

const rowsOf = memoLast((found: FoundFiles | undefined, opened: FilesState["opened"]): readonly FilesRow[] =>
	(found?.files ?? []).flatMap((file): FilesRow[] => {
		const { path, edits } = file;
		if (!opened.has(path)) return [{ key: path, file }];
		return [{ key: path, file }, ...edits.map((edit, index) => ({ key: `${index} ${path}`, file, edit }))];
	}),
);

/** The row under the cursor. */
export function selectedFilesRow(state: State): FilesRow | undefined {
	return rowAtCursor(FILES.of(state).cursor, selectFilesRows(state));
}

/** Requests the files of the open session, and the sum of the edits of the file under the cursor. */
export function syncFiles(state: State): Transition {
	const [gathering, gather] = gatherFiles(state);
	const [summing, sum] = sumFile(gathering);
	return [summing, [...gather, ...sum]];
}

function gatherFiles(state: State): Transition {
	const session = shownSession(state.detail);
	const { found, gathering } = FILES.of(state);
	if (session === undefined) return transition(state);
	const runs = runsOf(state);
	if (found?.session === session && found.runs.length === runs.length) return transition(state);
	// A session that grows all the time would never be gathered, if each growth began anew.
	if (gathering?.path === session.path) return transition(state);
	const { home } = state.environment;
	return transition(FILES.with(state, { gathering: session }), { type: "gather-files", session, runs, home });
}

/** Paths of the runs of subagents below the open session. */
function runsOf({ detail, catalog }: State): readonly string[] {
	return detail.status === "none" ? [] : runsBelow(detail.row, familiesOf(catalog.rows)).map(({ path }) => path);
}

function sumFile(state: State): Transition {
	const { isSummed, sums, summing } = FILES.of(state);
	const found = selectFound(state);
	const row = selectedFilesRow(state);
	if (!isSummed || found === undefined || row === undefined || row.edit !== undefined) return transition(state);
	const { file } = row;
	if (file.edits.some((edit) => edit.session !== found.session.path)) return transition(state);
	if (sums.has(file.path) || summing === file) return transition(state);
	const { session } = found;
	const { home } = state.environment;
	return transition(FILES.with(state, { summing: file }), { type: "sum-file", session, file, home });
}

/** Stores the edits of a session. */
export function applyFiles(state: State, { found: gathered, ...of }: GatheredFiles): State {
	const { edits, ...rest } = gathered;
	const { gathering } = FILES.of(state);
	if (gathering !== of.session) return state;
	const found = { ...rest, ...of, files: editedFiles(edits) };
	return FILES.with(state, {
		found,
		gathering: of.isWhole ? undefined : gathering,
		sums: new Map(),
		summing: undefined,
	});
}

/** Stores the sum of the edits of a file. */
export function applySum(state: State, session: Session, path: string, sum: FileSum): State {
	const { found, sums } = FILES.of(state);
	if (found?.session !== session) return state;
	return FILES.with(state, { sums: new Map([...sums, [path, sum]]), summing: undefined });
}
