import { basename, dirname } from "node:path";
import { archiveOf } from "../../catalog/model/archive.ts";
import { rootOf, type SessionRoots } from "../../catalog/model/session-roots.ts";
import { type Change, pathOf } from "../kinds/change.ts";
import { type KindTools, refuse, type UndoCheck } from "../kinds/kind.ts";
import { madeOf, type Undo } from "../kinds/kinds.ts";

/** A change that the journal says how to undo. */
export type Undoable = Change & { readonly undo: Undo };

/**
 * Checks in the files what has been done to the session since the change. `own`: ids of the entries that changes in the
 * journal, and undoing them, have appended. Rejects when the files cannot be read.
 */
export async function checkUndo(change: Undoable, own: ReadonlySet<string>, tools: KindTools): Promise<UndoCheck> {
	const path = pathOf(change.undo);
	if (path !== "" && !isSessionPath(path, tools.sessionRoots))
		return refuse(`the journal names a file that is not a session of this list: ${path}`);
	const { kind, made } = madeOf(change);
	return kind.check(made.undo, own, tools);
}

/** Whether the catalog would list a file at this path. */
export function isSessionPath(path: string, sessionRoots: SessionRoots): boolean {
	const directory = sessionRoots.kind === "custom" ? dirname(path) : dirname(dirname(path));
	const isNormal = basename(path) !== ".jsonl" && !path.split(/[/\\]/).includes("..");
	const isListed = directory === rootOf(sessionRoots) || directory === archiveOf(sessionRoots);
	return isNormal && path.endsWith(".jsonl") && isListed;
}
