import { existsSync, type Stats, statSync } from "node:fs";
import { expandPath, resolvePath } from "../files/paths.ts";
import { StoreError, storeError } from "../files/store-error.ts";
import { BOOKKEEPING } from "../format/bookkeeping.ts";
import { contentText } from "../format/message-text.ts";
import { storedName } from "../format/new-entry.ts";
import { RESUME_POINT_TYPE } from "../format/resume-point.ts";
import type { FileEntry, SessionEntry } from "../format/schema.ts";
import { SessionManager } from "../manager/session-manager.ts";
import { emptySession } from "../read/load-file.ts";
import { defaultSessionDir } from "../read/session-dir.ts";
import { messageOf } from "../tree/context.ts";
import { rewindOf } from "../tree/rewind.ts";
import { lineOf } from "../write/entry-text.ts";
import { forkFile } from "../write/fork-file.ts";
import { modeOfCopy, writeNewFile } from "../write/new-file.ts";
import { findChange, findCreated, sessionNow } from "./session-history.ts";

/**
 * What a person does to one session. Every function opens the whole session and blocks its thread meanwhile; the
 * browser runs them in a worker thread.
 */

/** What an action appended: enough to undo it with a further entry. */
export interface Appended {
	/** Id of the appended entry, which is the leaf now. */
	readonly entryId: string;
	/** The leaf before. */
	readonly leafId: string | null;
}

/** What a change did that may have nothing to do: without an `entryId` nothing was appended. */
export interface Replaced<Value> {
	/** Id of the appended entry, which is the leaf now; undefined when the session was already as it should be. */
	readonly entryId: string | undefined;
	/** The leaf before. */
	readonly leafId: string | null;
	/** What was there before. */
	readonly before: Value;
}

/**
 * Names a session; "" clears the name. Also returns the previous name ("" for none), so that it can be set again. When
 * the session has that name already, nothing is written.
 * Throws a `StoreError`; the file is then as it was.
 */
export function renameSession(path: string, name: string): Replaced<string> {
	const manager = openSession(path);
	const before = manager.getSessionName() ?? "";
	const leafId = manager.getLeafId();
	const entryId = storedName(name) === before ? undefined : manager.appendSessionInfo(name);
	return { entryId, leafId, before };
}

/**
 * Sets an entry's label; undefined or "" removes it. Also returns the previous label, so that it can be set again. When
 * the entry has that label already, nothing is written.
 * Throws a `StoreError`; the file is then as it was.
 */
export function labelEntry(path: string, entryId: string, label: string | undefined): Replaced<string | undefined> {
	const manager = openSession(path);
	requireEntry(manager, path, entryId);
	const before = manager.getLabel(entryId);
	const leafId = manager.getLeafId();
	const wanted = label || undefined;
	const appended = wanted === before ? undefined : manager.appendLabelChange(entryId, wanted);
	return { entryId: appended, leafId, before };
}

/**
 * Id of the entry at which the conversation goes on: the leaf, or, where that only keeps books (a name, a label), its
 * nearest ancestor that says something. Throws a `StoreError`, also when there is no entry.
 */
function leafOf(path: string): string {
	const entries = openSession(path).getBranch();
	const leaf = entries.findLast(({ type }) => !BOOKKEEPING.has(type)) ?? entries.at(-1);
	if (leaf !== undefined) return leaf.id;
	const reason = "there is no entry in the session";
	throw new StoreError(path, "no-entry", `Cannot find its last entry: ${reason}. Path: ${path}`);
}

/**
 * Copies the path from the root to an entry into a new session file beside the old one. Returns the new file's path.
 * Unlike `createBranchedSession`, this makes a file even if that path holds no message: the person asked for one.
 * Throws a `StoreError`; no file is left behind then.
 */
export function branchSession(path: string, entryId: string): string {
	const manager = openSession(path);
	requireEntry(manager, path, entryId);
	const target = manager.createBranchedSession(entryId);
	if (target === undefined) throw new Error(`The branch of ${path} has no file.`);
	if (!existsSync(target)) {
		writeNewFile(target, allEntries(manager).map(lineOf), "create the session", {
			mode: modeOfCopy(resolvePath(path)),
		});
	}
	return target;
}

/**
 * Copies a whole session into a new file for the project `targetCwd`: in `sessionDir`, by default in that project's
 * own directory. Returns the new file's path. Throws a `StoreError`; no file is left behind then.
 */
export function forkSession(path: string, targetCwd: string, sessionDir?: string): string {
	const source = resolvePath(path);
	const cwd = resolvePath(targetCwd);
	statOf(source);
	return forkFile(source, cwd, sessionDir ? expandPath(sessionDir) : defaultSessionDir(cwd));
}

/**
 * Makes pi continue from an entry when it next opens the session: appends a `custom` entry (which the model does not
 * get) whose parent is that entry. As in pi, continuing from a message of the person (or of an extension) means to say
 * it again: the parent is then the message's parent, and the message's text is returned for editing.
 * Throws a `StoreError`; the file is then as it was.
 */
export function resumePoint(path: string, entryId: string): Appended & { readonly text?: string } {
	const manager = openSession(path);
	const entry = requireEntry(manager, path, entryId);
	const leafId = manager.getLeafId();
	const text = textToSayAgain(entry);
	goTo(manager, text === undefined ? entryId : parentOf(manager, entry));
	const appended = manager.appendCustomEntry(RESUME_POINT_TYPE, { entryId });
	return { entryId: appended, leafId, ...(text === undefined ? {} : { text }) };
}

/**
 * Makes an earlier leaf the leaf again by appending one `custom` entry: undoes `resumePoint`.
 * Throws a `StoreError`; the file is then as it was.
 */
export function restoreLeaf(path: string, leafId: string | null): Appended {
	const manager = openSession(path);
	const before = manager.getLeafId();
	if (leafId !== null) requireEntry(manager, path, leafId);
	goTo(manager, leafId);
	return { entryId: manager.appendCustomEntry(RESUME_POINT_TYPE, { entryId: leafId }), leafId: before };
}

/**
 * Makes pi go on from the end of the conversation again, where a name, a label or the like has moved the leaf back: appends
 * one `custom` entry that follows `endId`, as `rewindOf` has found it. Without an `entryId` in the result nothing was
 * appended: pi goes on from the end already. `restoreLeaf` undoes it.
 * Throws a `StoreError`, also where the conversation ends elsewhere by now; the file is then as it was.
 */
export function forwardLeaf(path: string, endId: string): Omit<Replaced<undefined>, "before"> {
	const manager = openSession(path);
	const leafId = manager.getLeafId();
	const rewind = rewindOf(manager.getEntries(), ({ parentId }) => parentId, isPrompt);
	if (rewind === undefined) return { entryId: undefined, leafId };
	if (rewind.endId !== endId) {
		const reason = "another program has written to it since it was read; look at it again";
		throw new StoreError(path, "changed", `Cannot go on from the end of the session: ${reason}. Path: ${path}`);
	}
	manager.branch(endId);
	return { entryId: manager.appendCustomEntry(RESUME_POINT_TYPE, { entryId: endId }), leafId };
}

function isPrompt(entry: SessionEntry): boolean {
	return messageOf(entry)?.role === "user";
}

/** All of the above, and what undo asks, by name, for whoever calls them from another thread. */
export const SESSION_ACTIONS = {
	renameSession,
	labelEntry,
	leafOf,
	branchSession,
	forkSession,
	resumePoint,
	restoreLeaf,
	forwardLeaf,
	sessionNow,
	findChange,
	findCreated,
};

/** How often a session is read again that another program writes to meanwhile. */
const MOST_READS = 5;

/**
 * Opens a session that exists; `SessionManager.open` would begin a new one in an empty or missing file. Where the file has
 * grown while it was read, it is read again: what is appended must follow the leaf that there is now, or it would move it.
 */
function openSession(path: string): SessionManager {
	const resolved = resolvePath(path);
	for (let reads = 1; ; reads++) {
		const stats = statOf(resolved);
		if (stats.isFile() && stats.size === 0) throw emptySession(resolved);
		const manager = SessionManager.open(resolved);
		if (reads === MOST_READS || statOf(resolved).size === stats.size) return manager;
	}
}

function statOf(path: string): Stats {
	try {
		return statSync(path);
	} catch (error) {
		throw storeError(path, "read the session", error);
	}
}

function requireEntry(manager: SessionManager, path: string, id: string): SessionEntry {
	const entry = manager.getEntry(id);
	if (entry !== undefined) return entry;
	const shown = /^(.*)~\d+~*$/.exec(id)?.[1];
	if (shown !== undefined && manager.getEntry(shown) !== undefined) {
		const reason = `a later entry of the session has the same id, ${shown}; only that one can be labeled, branched or gone on from`;
		throw new StoreError(path, "same-id", `Cannot find the entry: ${reason}. Path: ${path}`);
	}
	const reason = `there is no entry ${id} in the session; it may have been rewritten since it was read`;
	throw new StoreError(path, "no-entry", `Cannot find the entry: ${reason}. Path: ${path}`);
}

function allEntries(manager: SessionManager): FileEntry[] {
	const header = manager.getHeader();
	return [...(header === null ? [] : [header]), ...manager.getEntries()];
}

function textToSayAgain(entry: SessionEntry): string | undefined {
	if (entry.type === "custom_message") return contentText(entry.content, "");
	const message = messageOf(entry);
	return message?.role === "user" ? contentText(message.content, "") : undefined;
}

function parentOf(manager: SessionManager, entry: SessionEntry): string | null {
	const parent = manager.getBranch(entry.id).at(-2);
	return parent?.id ?? null;
}

function goTo(manager: SessionManager, id: string | null): void {
	if (id === null) manager.resetLeaf();
	else manager.branch(id);
}
