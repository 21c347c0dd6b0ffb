import { Breather, runStepsPolitely } from "../../shared/steps.ts";
import { expandPath, resolvePath } from "../files/paths.ts";
import { StoreError } from "../files/store-error.ts";
import { contentText } from "../format/message-text.ts";
import type { SessionEntry } from "../format/schema.ts";
import { SessionManager } from "../manager/session-manager.ts";
import { loadFilePolitely } from "../read/load-file.ts";
import { defaultSessionDir } from "../read/session-dir.ts";
import { messageOf } from "../tree/context.ts";
import { forkSteps } from "../write/fork-file.ts";

/** What an action appended: enough to undo it with a further entry. */
export interface Appended {
	/** Id of the appended entry; it is the leaf now. */
	readonly entryId: string;
	/** The leaf before. */
	readonly leafId: string | null;
}

/** The `customType` of the entries that only say where to go on. */
export const RESUME_POINT_TYPE = "pi-grove:resume-point";

/**
 * Names a session; "" clears the name. Returns also the name before ("" for none), to set again.
 * Rejects with a `StoreError`; the file is then as it was.
 */
export async function renameSession(path: string, name: string): Promise<Appended & { readonly before: string }> {
	const manager = await SessionManager.openPolitely(path);
	const before = manager.getSessionName() ?? "";
	const leafId = manager.getLeafId();
	return { entryId: manager.appendSessionInfo(name), leafId, before };
}

/**
 * Sets an entry's label; undefined or "" takes it off. Returns also the label before, to set again.
 * Rejects with a `StoreError`; the file is then as it was.
 */
export async function labelEntry(
	path: string,
	entryId: string,
	label: string | undefined,
): Promise<Appended & { readonly before: string | undefined }> {
	const manager = await SessionManager.openPolitely(path);
	requireEntry(manager, path, entryId);
	const before = manager.getLabel(entryId);
	const leafId = manager.getLeafId();
	return { entryId: manager.appendLabelChange(entryId, label || undefined), leafId, before };
}

/**
 * Makes a new session file, beside the old one, of the path from the root to an entry. Returns the new file's path.
 * The file is made even when nothing was said on that path: the person asked for it.
 * Rejects with a `StoreError`; no file is left behind then.
 */
export async function branchSession(path: string, entryId: string): Promise<string> {
	const manager = await SessionManager.openPolitely(path);
	requireEntry(manager, path, entryId);
	await manager.createBranchedSessionPolitely(entryId);
	return writtenFile(manager, path);
}

/**
 * Copies a whole session into a new file for the project `targetCwd`: in `sessionDir`, by default in that project's
 * own directory. Returns the new file's path. Rejects with a `StoreError`; no file is left behind then.
 */
export async function forkSession(path: string, targetCwd: string, sessionDir?: string): Promise<string> {
	const source = resolvePath(path);
	const cwd = resolvePath(targetCwd);
	const breather = new Breather();
	const loaded = await loadFilePolitely(source, breather);
	const dir = sessionDir ? expandPath(sessionDir) : defaultSessionDir(cwd);
	return runStepsPolitely(forkSteps(source, loaded, cwd, dir), breather);
}

/**
 * Makes pi go on at an entry when it opens the session next: appends a `custom` entry (which the model does not get)
 * whose parent is that entry. As in pi, going on at a message of the person (or of an extension) means to say it
 * again: the parent is then the message's parent, and its text is returned, to be edited.
 * Rejects with a `StoreError`; the file is then as it was.
 */
export async function resumePoint(path: string, entryId: string): Promise<Appended & { readonly text?: string }> {
	const manager = await SessionManager.openPolitely(path);
	const entry = requireEntry(manager, path, entryId);
	const leafId = manager.getLeafId();
	const text = textToSayAgain(entry);
	goTo(manager, text === undefined ? entryId : parentOf(manager, entry));
	const appended = manager.appendCustomEntry(RESUME_POINT_TYPE, { entryId });
	return { entryId: appended, leafId, ...(text === undefined ? {} : { text }) };
}

/**
 * Makes an earlier leaf the leaf again, with one `custom` entry: undoes `resumePoint`.
 * Rejects with a `StoreError`; the file is then as it was.
 */
export async function restoreLeaf(path: string, leafId: string | null): Promise<Appended> {
	const manager = await SessionManager.openPolitely(path);
	const before = manager.getLeafId();
	if (leafId !== null) requireEntry(manager, path, leafId);
	goTo(manager, leafId);
	return { entryId: manager.appendCustomEntry(RESUME_POINT_TYPE, { entryId: leafId }), leafId: before };
}

function requireEntry(manager: SessionManager, path: string, id: string): SessionEntry {
	const entry = manager.getEntry(id);
	if (entry !== undefined) return entry;
	const message = `There is no entry ${id} in the session ${path}; it may have been rewritten since it was read.`;
	throw new StoreError(path, "no-entry", message);
}

function writtenFile(manager: SessionManager, source: string): string {
	const path = manager.writeNow();
	if (path === undefined) throw new Error(`The copy of ${source} has no file.`);
	return path;
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
