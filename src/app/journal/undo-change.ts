import { restoreSession, trashSession } from "../../store/actions/trash.ts";
import type { MarksFile } from "../effects/marks-file.ts";
import type { StoreClient } from "../effects/store-client.ts";
import type { Undo } from "./journal-schema.ts";

/** What undoing changes. */
export interface UndoingTools {
	readonly store: StoreClient;
	readonly marks: Pick<MarksFile, "takeBack" | "has">;
}

/**
 * Undoes a change that `checkUndo` has nothing against; returns the id of the entry that was appended, if one was.
 * Rejects with a `StoreError` when that is not possible; it has changed nothing then.
 */
export async function undoChange(undo: Undo, { store, marks }: UndoingTools): Promise<string | undefined> {
	switch (undo.type) {
		case "rename":
			return (await store.run("renameSession", undo.path, undo.name)).entryId;
		case "label": {
			const label = undo.label === "" ? undefined : undo.label;
			return (await store.run("labelEntry", undo.path, undo.entryId, label)).entryId;
		}
		case "leaf":
			return (await store.run("restoreLeaf", undo.path, undo.leafId)).entryId;
		case "created":
			await trashSession(undo.path);
			return undefined;
		case "mark":
			marks.takeBack(undo.token);
			return undefined;
		case "restore":
			await restoreSession(undo.receipt);
			return undefined;
	}
}
