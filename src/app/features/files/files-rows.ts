import type { EditedFile, SessionEdit } from "../../../edits/session-files.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import { type State, shownSession } from "../../world/state/state.ts";
import { FILES, type FilesState, type FoundFiles } from "./files-state.ts";

/** A file, or one edit of it. */
export type FilesRow = PageRow & { readonly file: EditedFile; readonly edit?: SessionEdit };

/** The rows of the page. */
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
