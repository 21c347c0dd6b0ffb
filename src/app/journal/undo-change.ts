import { stat } from "node:fs/promises";
import { restoreSession, trashSession } from "../../store/actions/trash.ts";
import type { StoreClient } from "../effects/store-client.ts";
import type { Undo } from "./journal-schema.ts";

/** Undoes a change; rejects when that is no longer possible, and has changed nothing then. */
export async function undoChange(undo: Undo, store: StoreClient): Promise<void> {
	switch (undo.type) {
		case "rename":
			await store.run("renameSession", undo.path, undo.name);
			return;
		case "label":
			await store.run("labelEntry", undo.path, undo.entryId, undo.label === "" ? undefined : undo.label);
			return;
		case "created":
			await requireUnchanged(undo.path, undo.size);
			await trashSession(undo.path);
			return;
		case "restore":
			await restoreSession(undo.receipt);
			return;
		case "leaf":
			await requireUnchanged(undo.path, undo.size);
			await store.run("restoreLeaf", undo.path, undo.leafId);
			return;
	}
}

/** An undo must not take away what was said since in a session that was made here or moved to another entry. */
async function requireUnchanged(path: string, size: number): Promise<void> {
	if ((await stat(path)).size === size) return;
	throw new Error(`${path} has been gone on with since; what was said there is not taken away`);
}
