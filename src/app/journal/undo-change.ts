import { stat } from "node:fs/promises";
import { labelEntry, renameSession, restoreLeaf } from "../../store/actions/session-actions.ts";
import { restoreSession, trashSession } from "../../store/actions/trash.ts";
import type { Undo } from "./journal-schema.ts";

/** Takes back what was done; rejects, with nothing changed, when that is no longer possible. */
export async function undoChange(undo: Undo): Promise<void> {
	switch (undo.type) {
		case "rename":
			await renameSession(undo.path, undo.name);
			return;
		case "label":
			await labelEntry(undo.path, undo.entryId, undo.label === "" ? undefined : undo.label);
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
			await restoreLeaf(undo.path, undo.leafId);
			return;
	}
}

/** What has been said since in a session that was made here, or turned to another entry, is not taken away by an undo. */
async function requireUnchanged(path: string, size: number): Promise<void> {
	if ((await stat(path)).size === size) return;
	throw new Error(`${path} has been gone on with since; what was said there is not taken away`);
}
