import { type EditedFile, editedFiles, type SessionEdit, type SessionEdits } from "../../../edits/session-files.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { FIRST_CURSOR, type PageCursor, type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { defineQuery } from "../../world/effects/define-query.ts";
import { familiesOf, runsBelow } from "../../world/list/families.ts";
import { defineSlice, type State } from "../../world/state/state.ts";
import {
	type FileSum,
	type GatheredEdits,
	gatherFiles,
	type SessionWithRuns,
	sumFile,
} from "./effects/files-effects.ts";

/** The page of the files that the open session has changed. */
interface FilesState {
	readonly cursor: PageCursor;
	/** Paths of the files whose edits are shown. */
	readonly opened: ReadonlySet<string>;
	/** Whether the diff of a file is of all its edits together, instead of one edit after the other. */
	readonly isSummed: boolean;
	/** Rows of the diff above its pane. */
	readonly scrolled: number;
}

/** The files of a session and of the runs of subagents below it. */
interface FoundFiles extends SessionWithRuns, Omit<SessionEdits, "edits">, Omit<GatheredEdits, "edits"> {
	readonly files: readonly EditedFile[];
}

export const FILES = defineSlice<FilesState>("files", {
	cursor: FIRST_CURSOR,
	opened: new Set(),
	isSummed: true,
	scrolled: 0,
});

export type FilesRow = PageRow & { readonly file: EditedFile; readonly edit?: SessionEdit };

export function selectFilesRows(state: State): readonly FilesRow[] {
	const { opened } = FILES.of(state);
	return (selectFound(state)?.files ?? []).flatMap((file): FilesRow[] => {
		const { path, edits } = file;
		if (!opened.has(path)) return [{ key: path, file }];
		return [{ key: path, file }, ...edits.map((edit, index) => ({ key: `${index} ${path}`, file, edit }))];
	});
}

/** The files of the open session; undefined until they have been gathered. Those of a shorter one stay meanwhile. */
export function selectFound(state: State): FoundFiles | undefined {
	const { value: sessionFiles } = FOUND_FILES.of(state);
	return sessionFiles?.session.path === state.detail.session?.path ? sessionFiles : undefined;
}

export function selectedFilesRow(state: State): FilesRow | undefined {
	return rowAtCursor(FILES.of(state).cursor, selectFilesRows(state));
}

/** The files of the open session. A session that grows all the time would never be gathered, if each growth began anew. */
export const FOUND_FILES = defineQuery<SessionWithRuns, FoundFiles, GatheredEdits>({
	name: "files",
	wanted(state) {
		const session = state.detail.session;
		const { detail, catalog } = state;
		const runs = detail.row === undefined ? [] : runsBelow(detail.row, familiesOf(catalog.rows));
		return session && { session, runs: runs.map(({ path }) => path) };
	},
	isSame: (askedKey, wantedKey) =>
		askedKey.session === wantedKey.session && askedKey.runs.length === wantedKey.runs.length,
	finishes: (askedKey, wantedKey) => askedKey.session.path === wantedKey.session.path,
	load: gatherFiles,
	merge: (_, { edits: { edits, ...rest }, ...gathered }, of) => ({
		...rest,
		...gathered,
		...of,
		files: editedFiles(edits),
	}),
	answered: (state) => FILE_SUMS.set(state, undefined),
});

/** The summed-up edits of the files that the cursor was on since all were found, by path. */
export const FILE_SUMS = defineQuery<SummedFile, ReadonlyMap<string, FileSum>>({
	name: "sums of files",
	wanted(state, { value }) {
		const sessionFiles = selectFound(state);
		const { file, edit } = selectedFilesRow(state) ?? {};
		if (!FILES.of(state).isSummed || sessionFiles === undefined || file === undefined || edit !== undefined)
			return undefined;
		const { session } = sessionFiles;
		if (value?.has(file.path) === true || file.edits.some((each) => each.session !== session.path)) return undefined;
		return { session, file };
	},
	isSame: (askedKey, wantedKey) => askedKey.file === wantedKey.file,
	load: async ({ session, file }, tools) => new Map([[file.path, await sumFile(session, file, tools)]]),
	merge: (sums = new Map(), sum) => new Map([...sums, ...sum]),
});

interface SummedFile {
	readonly session: Session;
	readonly file: EditedFile;
}
