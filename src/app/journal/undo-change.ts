import { restoreSession, trashSession } from "../../store/actions/trash.ts";
import type { StoreClient } from "../effects/store-client.ts";
import type { Undo } from "./journal-schema.ts";

/**
 * Undoes a change that `checkUndo` has nothing against; returns the id of the entry that was appended, if one was.
 * Rejects with a `StoreError` when that is not possible; it has changed nothing then.
 */
export async function undoChange(undo: Undo, store: StoreClient): Promise<string | undefined> {
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
		case "restore":
			await restoreSession(undo.receipt);
			return undefined;
	}
}
