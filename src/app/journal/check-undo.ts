import { basename, dirname, join } from "node:path";
import { archiveOf, otherPlace } from "../../catalog/model/archive.ts";
import { rootOf, type SessionRoots } from "../../catalog/model/session-roots.ts";
import type { Since } from "../../store/actions/session-history.ts";
import { isThere } from "../../store/files/is-there.ts";
import { storedName } from "../../store/format/new-entry.ts";
import { formatCounted } from "../../ui/text/format.ts";
import type { StoreClient } from "../changes/store-client.ts";
import { pathOf } from "./change.ts";
import type { Undo } from "./journal-schema.ts";

/** What stands in the way of an undo, or of doing a change again. */
export type Outlook =
	| { readonly kind: "clear" }
	/** It would take back what somebody else has done since: a sentence that says what. */
	| { readonly kind: "ask"; readonly why: string }
	/** It would lose something, or touch what is not a session: why. */
	| { readonly kind: "refuse"; readonly why: string };

/** "done": everything is as it was before the change, there is nothing left to be undone. */
export type UndoCheck = Outlook | { readonly kind: "done" };

const CLEAR: UndoCheck = { kind: "clear" };

/**
 * Looks at the files: what has been done to the session since the change? `own`: ids of the entries that changes of the
 * journal, and their undoing, have appended. Rejects when they cannot be read.
 */
export async function checkUndo(
	undo: Undo,
	own: ReadonlySet<string>,
	store: StoreClient,
	sessionRoots: SessionRoots,
): Promise<UndoCheck> {
	if (undo.type !== "query" && !isSessionPath(pathOf(undo), sessionRoots)) {
		return { kind: "refuse", why: `the journal names a file that is no session of this list: ${pathOf(undo)}` };
	}
	switch (undo.type) {
		case "rename": {
			const { name } = await store.run("sessionNow", undo.path, { own });
			return checkText("name", name, undo.set === undefined ? undefined : storedName(undo.set), undo.name);
		}
		case "label": {
			const { label } = await store.run("sessionNow", undo.path, { labelOf: undo.entryId, own });
			return checkText("label", label, undo.set, undo.label);
		}
		case "created": {
			if (!(await isThere(undo.path))) return { kind: "done" };
			const { since } = await store.run("sessionNow", undo.path, { fromByte: undo.size, own });
			if (hasGoneOn(since)) return refuseGoneOn(since);
			if (since.marks === 0) return CLEAR;
			return { kind: "ask", why: "Since then another program has named it, or labeled something in it." };
		}
		case "leaf": {
			const { since } = await store.run("sessionNow", undo.path, { fromByte: undo.size, own });
			if (since.resumePoint !== undefined && since.resumePoint === undo.leafId) return { kind: "done" };
			return hasGoneOn(since) ? refuseGoneOn(since) : CLEAR;
		}
		case "moved": {
			const { path, to } = undo;
			if (to !== otherPlace(path, sessionRoots))
				return { kind: "refuse", why: `the journal names a file that is in no archive: ${to}` };
			return (await isThere(path)) && !(await isThere(to)) ? { kind: "done" } : CLEAR;
		}
		case "mark":
		case "query":
			// What others have changed since stays as they have left it.
			return CLEAR;
		case "restore": {
			const { trashed } = undo.receipt;
			if (trashed === undefined || isInSomeTrash(trashed)) return CLEAR;
			return { kind: "refuse", why: `the journal names a file that is in no trash: ${trashed.path}` };
		}
	}
}

/** `set`: what the change has set, undefined if that is not known; `before`: what an undo sets. */
function checkText(noun: string, now: string, set: string | undefined, before: string): UndoCheck {
	if (now === set || set === undefined) return CLEAR;
	if (now === before) return { kind: "done" };
	const why =
		now === "" ? `Since then the ${noun} has been cleared.` : `Since then the ${noun} has been changed to “${now}”.`;
	return { kind: "ask", why };
}

function hasGoneOn({ messages, others }: Since): boolean {
	return messages + others > 0;
}

function refuseGoneOn({ messages, others }: Since): UndoCheck {
	const count = messages > 0 ? formatCounted(messages, "message") : others === 1 ? "1 entry" : `${others} entries`;
	return { kind: "refuse", why: `the session has been gone on with: ${count} since, which would be lost` };
}

/** Whether the catalog would list a file of this path. */
export function isSessionPath(path: string, sessionRoots: SessionRoots): boolean {
	const directory = sessionRoots.kind === "custom" ? dirname(path) : dirname(dirname(path));
	const isNormal = basename(path) !== ".jsonl" && !path.split(/[/\\]/).includes("..");
	const isListed = directory === rootOf(sessionRoots) || directory === archiveOf(sessionRoots);
	return isNormal && path.endsWith(".jsonl") && isListed;
}

/** Whether a trash of the specification would have this file and this note: `<trash>/files/x`, `<trash>/info/x.trashinfo`. */
function isInSomeTrash({ path, info }: { readonly path: string; readonly info: string }): boolean {
	const trash = dirname(dirname(path));
	return path === join(trash, "files", basename(path)) && info === join(trash, "info", `${basename(path)}.trashinfo`);
}
