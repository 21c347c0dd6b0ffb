import { moveSession } from "../../store/actions/move-session.ts";
import { restoreSession, type TrashReceipt, trashSession } from "../../store/actions/trash.ts";
import type { StoreClient } from "../changes/store-client.ts";
import type { MarksFile } from "../features/marks/effects/marks-file.ts";
import type { SavedFile } from "../features/saved/effects/saved-file.ts";
import type { Undo } from "./journal-schema.ts";

/** What undoing changes. */
export interface UndoingTools {
	readonly store: StoreClient;
	readonly marks: Pick<MarksFile, "takeBack" | "has">;
	readonly saved: Pick<SavedFile, "takeBack" | "has">;
}

/** How a change was undone: by an entry that was appended, or by moving a session to the trash. */
export interface UndoneBy {
	readonly entryId?: string | undefined;
	readonly receipt?: TrashReceipt;
}

/**
 * Undoes a change that `checkUndo` has nothing against, and tells how.
 * Rejects with a `StoreError` when that is not possible; it has changed nothing then.
 */
export async function undoChange(undo: Undo, { store, marks, saved }: UndoingTools): Promise<UndoneBy> {
	switch (undo.type) {
		case "rename":
			return { entryId: (await store.run("renameSession", undo.path, undo.name)).entryId };
		case "label": {
			const label = undo.label === "" ? undefined : undo.label;
			return { entryId: (await store.run("labelEntry", undo.path, undo.entryId, label)).entryId };
		}
		case "leaf":
			return { entryId: (await store.run("restoreLeaf", undo.path, undo.leafId)).entryId };
		case "created":
			return { receipt: await trashSession(undo.path) };
		case "moved":
			await moveSession(undo.to, undo.path, "move the session back");
			return {};
		case "mark":
			marks.takeBack(undo.token);
			return {};
		case "query":
			saved.takeBack(undo.token);
			return {};
		case "restore":
			await restoreSession(undo.receipt);
			return {};
	}
}
