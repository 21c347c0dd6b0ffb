import { isObject } from "../../shared/json.ts";
import { expandPath, resolvePath } from "../../shared/paths.ts";
import { cannot } from "../files/store-error.ts";
import { contentText } from "../format/message.ts";
import { storedName } from "../format/new-entry.ts";
import { BOOKKEEPING, RESUME_POINT_TYPE } from "../format/raw-entry.ts";
import type { SessionEntry } from "../format/schema.ts";
import { openOutline, type SessionOutline } from "../manager/session-outline.ts";
import { emptySession } from "../read/load-file.ts";
import { defaultSessionDir } from "../read/session-dir.ts";
import { agentMessageOf } from "../tree/context.ts";
import { rewindOf } from "../tree/rewind.ts";
import { buildTree } from "../tree/session-table.ts";
import { bringFile } from "../write/bring-file.ts";
import { forkFile } from "../write/fork-file.ts";
import { findBrought, findChange, findCreated, sessionNow, statOf } from "./session-history.ts";

/**
 * Changes to one session. Every function reads the whole file and blocks its thread; the browser runs them in a worker
 * thread. Entries are kept as outlines only, so that a session may have any size.
 */

/** The result of appending an entry: enough to undo it with a further entry. */
interface AppendResult {
	/** Id of the appended entry, now the leaf. */
	readonly entryId: string;
	/** The leaf before. */
	readonly leafId: string | null;
}

/** The result of a change that may turn out to be unnecessary. */
interface Replaced<Value> {
	/** Id of the appended entry, now the leaf; undefined if the session was already as requested and nothing was written. */
	readonly entryId: string | undefined;
	/** The leaf before. */
	readonly leafId: string | null;
	readonly before: Value;
}

/**
 * Names a session; "" clears the name. Also returns the previous name ("" for none), to restore it. Writes nothing if the
 * session already has that name. Throws a `StoreError`; the file is then as it was.
 */
export function renameSession(path: string, name: string): Replaced<string> {
	const manager = openSession(path);
	const nameBefore = manager.getSessionName() ?? "";
	const leafId = manager.getLeafId();
	const entryId = storedName(name) === nameBefore ? undefined : manager.appendSessionInfo(name);
	return { entryId, leafId, before: nameBefore };
}

/**
 * Sets an entry's label; undefined or "" removes it. Also returns the previous label, to restore it. Writes nothing if the
 * entry already has that label. Throws a `StoreError`; the file is then as it was.
 */
export function labelEntry(path: string, entryId: string, label: string | undefined): Replaced<string | undefined> {
	const manager = openSession(path, entryId);
	requireEntry(manager, path, entryId);
	const labelBefore = manager.getLabel(entryId);
	const leafId = manager.getLeafId();
	const newLabel = label || undefined;
	const appended = newLabel === labelBefore ? undefined : manager.appendLabelChange(entryId, newLabel);
	return { entryId: appended, leafId, before: labelBefore };
}

/**
 * Id of the entry where the conversation continues: the leaf, or, if that is bookkeeping (a name, a label), its nearest
 * ancestor that is not. Throws a `StoreError`, also when there is no entry.
 */
function leafOf(path: string): string {
	const entries = openSession(path).getBranch();
	const leaf = entries.findLast(({ type }) => !BOOKKEEPING.has(type)) ?? entries.at(-1);
	if (leaf !== undefined) return leaf.id;
	throw cannot("find its last entry", path, "no-entry", "there is no entry in the session");
}

/**
 * Copies the path from the root to an entry into a new session file in `dir`, by default beside the old one, for the project `cwd`, by
 * default the same. Returns the new file's path.
 * Unlike `createBranchedSession`, this makes a file even if the path holds no message: the person asked for one.
 * Throws a `StoreError`; no file is left behind then.
 */
export function branchSession(path: string, entryId: string, dir?: string, cwd?: string): string {
	const options = { ...(dir !== undefined && { dir }), ...(cwd !== undefined && { cwd }) };
	const manager = openOutline(existing(path).resolved, { sniff: false, ...options });
	requireEntry(manager, path, entryId);
	return manager.createBranch(entryId);
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
export function resumePoint(path: string, entryId: string): AppendResult & { readonly text?: string } {
	const manager = openSession(path, entryId);
	const entry = requireEntry(manager, path, entryId);
	const leafId = manager.getLeafId();
	const text = textToSayAgain(manager, entry);
	goTo(manager, text === undefined ? entryId : (manager.getBranch(entryId).at(-2)?.id ?? null));
	const appended = manager.appendCustomEntry(RESUME_POINT_TYPE, { entryId });
	return { entryId: appended, leafId, ...(text === undefined ? {} : { text }) };
}

/**
 * Makes an earlier leaf the leaf again by appending one `custom` entry: undoes `resumePoint`.
 * Throws a `StoreError`; the file is then as it was.
 */
export function restoreLeaf(path: string, leafId: string | null): AppendResult {
	const manager = openSession(path, leafId);
	const leafBefore = manager.getLeafId();
	if (leafId !== null) requireEntry(manager, path, leafId);
	goTo(manager, leafId);
	return { entryId: manager.appendCustomEntry(RESUME_POINT_TYPE, { entryId: leafId }), leafId: leafBefore };
}

/**
 * Makes pi continue from the end of the conversation again, after a name, a label or the like has moved the leaf back: appends
 * one `custom` entry after `endId`, which `rewindOf` found. Without an `entryId` in the result nothing was appended: pi
 * already continues from the end. `restoreLeaf` undoes it.
 * Throws a `StoreError`, also if the conversation now ends elsewhere; the file is then as it was.
 */
export function forwardLeaf(path: string, endId: string): Omit<Replaced<undefined>, "before"> {
	const manager = openSession(path, endId);
	const leafId = manager.getLeafId();
	const isPrompt = (entry: SessionEntry): boolean => agentMessageOf(entry)?.role === "user";
	const rewind = rewindOf(buildTree(manager.getEntries()).table, isPrompt);
	if (rewind === undefined) return { entryId: undefined, leafId };
	if (rewind.endId !== endId) {
		const reason = "another program has written to the file since it was read; check it again";
		throw cannot("continue from the end of the session", path, "changed", reason);
	}
	manager.branch(endId);
	return { entryId: manager.appendCustomEntry(RESUME_POINT_TYPE, { entryId: endId }), leafId };
}

/** The functions above and those for undo, by name, for calls from another thread. */
export const SESSION_ACTIONS = {
	renameSession,
	labelEntry,
	leafOf,
	branchSession,
	forkSession,
	bringSession: bringFile,
	resumePoint,
	restoreLeaf,
	forwardLeaf,
	sessionNow,
	findChange,
	findCreated,
	findBrought,
};

/** How often a session is read again while another program writes to it. */
const MOST_READS = 5;

/**
 * Opens an existing session for an action that refers to the leaf and the entry `id`, or its parent. If the file grew while it
 * was read, it is read again: an appended entry must follow the current leaf, or it would move the leaf.
 */
function openSession(path: string, id?: string | null): SessionOutline {
	for (let reads = 1; ; reads++) {
		const { resolved, size } = existing(path);
		const outline = soundOutline(resolved, id);
		if (reads === MOST_READS || statOf(resolved).size === size) return outline;
	}
}

/**
 * Most lines are recognized by their first and last bytes; if the leaf or the entry `id` does not match its outline, or there
 * is no such entry, every line is parsed.
 */
function soundOutline(path: string, id: string | null | undefined): SessionOutline {
	const sniffed = openOutline(path, { sniff: true });
	const named = [sniffed.getLeafId(), ...(id ? [id, sniffed.getEntry(id)?.parentId] : [])];
	const isSound = named.every((one) => !one || sniffed.isAsOutlined(one));
	return isSound ? sniffed : openOutline(path, { sniff: false });
}

/** The absolute path of an existing session; `SessionManager.open` would begin a new one if the file is empty or missing. */
function existing(path: string): { readonly resolved: string; readonly size: number } {
	const resolved = resolvePath(path);
	const stats = statOf(resolved);
	if (stats.isFile() && stats.size === 0) throw emptySession(resolved);
	return { resolved, size: stats.size };
}

function requireEntry(manager: SessionOutline, path: string, id: string): SessionEntry {
	const entry = manager.getEntry(id);
	if (entry !== undefined) return entry;
	const idInFile = /^(.*)~\d+~*$/.exec(id)?.[1];
	if (idInFile !== undefined && manager.getEntry(idInFile) !== undefined) {
		const reason = `a later entry of the session has the same id, ${idInFile}; only that one can be labeled, branched or continued from`;
		throw cannot("find the entry", path, "same-id", reason);
	}
	const reason = `there is no entry ${id} in the session; the file may have been rewritten since it was read`;
	throw cannot("find the entry", path, "no-entry", reason);
}

function textToSayAgain(manager: SessionOutline, outline: SessionEntry): string | undefined {
	const isSaid = outline.type === "custom_message" || agentMessageOf(outline)?.role === "user";
	if (!isSaid) return undefined;
	const entry = manager.readEntry(outline.id);
	const { content } = isObject(entry?.message) ? entry.message : { content: entry?.content };
	return contentText(content, "");
}

function goTo(manager: SessionOutline, id: string | null): void {
	if (id === null) manager.resetLeaf();
	else manager.branch(id);
}
