import type { RawEntry } from "../format/raw-entry.ts";
import type { SessionEntry } from "../format/schema.ts";
import { emptySession, loadOutline, MAX_LOADED_LINE_BYTES, readEntryAt } from "../read/load-file.ts";
import { manageFile, type SessionManager } from "./session-manager.ts";

/** A session whose entries are in memory as outlines only: entries can be appended, but texts cannot be read. */
export interface SessionOutline
	extends Pick<
		SessionManager,
		| "getSessionName"
		| "getLeafId"
		| "getLabel"
		| "getBranch"
		| "appendSessionInfo"
		| "appendLabelChange"
		| "appendCustomEntry"
		| "branch"
		| "resetLeaf"
	> {
	getEntry(id: string): SessionEntry | undefined;
	/** In file order, as outlines. */
	getEntries(): SessionEntry[];
	/** The entry as it stands in its line; undefined if the line holds none, or is longer than a string can be. */
	readEntry(id: string): RawEntry | undefined;
	/** Whether the line matches its outline; true for a line that is too long to be compared as a whole. */
	isAsOutlined(id: string): boolean;
	/** Like `createBranchedSession`, but the file is made even if the path has no message. Returns its path. */
	createBranch(entryId: string): string;
}

/**
 * Opens an existing session as outlines; `sniff` as for `loadOutline`, `dir`: where branches go, by default beside it; `cwd`: the project
 * of branches, by default the same. Throws a `StoreError`, also for an empty file.
 */
export function openOutline(
	path: string,
	options: { readonly sniff: boolean; readonly dir?: string; readonly cwd?: string },
): SessionOutline {
	const loaded = loadOutline(path, options);
	if (loaded === undefined) throw emptySession(path);
	const { manager, storage, createBranch } = manageFile(path, loaded, options);
	const read = (entry: SessionEntry | undefined): RawEntry | undefined => {
		const span = entry && storage.spanOf(entry);
		return span && readEntryAt(path, span);
	};
	return Object.assign(manager, {
		readEntry: (id: string) => read(manager.getEntry(id)),
		isAsOutlined: (id: string) => {
			const entry = manager.getEntry(id);
			const length = entry && storage.spanOf(entry)?.length;
			if (entry === undefined || length === undefined) return false;
			return length > MAX_LOADED_LINE_BYTES || isSame(entry, read(entry));
		},
		createBranch: (id: string) => {
			const target = createBranch(id);
			if (target === undefined) throw new Error(`The branch of ${path} has no file.`);
			return target;
		},
	});
}

/** Whether an entry in the file matches its outline. Only ids that are strings are the same in memory. */
function isSame({ type, id, parentId }: SessionEntry, inFile: RawEntry | undefined): boolean {
	if (inFile?.type !== type || (typeof inFile.id === "string" && inFile.id !== id)) return false;
	return typeof inFile.parentId !== "string" || inFile.parentId === parentId;
}
