import type { RawEntry } from "../format/parse.ts";
import type { SessionEntry } from "../format/schema.ts";
import { emptySession, loadOutline, MAX_LOADED_LINE_BYTES, readEntryAt } from "../read/load-file.ts";
import { manageFile, type SessionManager } from "./session-manager.ts";

/** A session of which only the outlines of its entries are in memory: it can be gone on with, and not be read. */
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
	/** Without what it says. */
	getEntry(id: string): SessionEntry | undefined;
	/** In file order, without what they say. */
	getEntries(): SessionEntry[];
	/** The entry as it stands in its line; undefined where that holds none, or is longer than a string can be. */
	readEntry(id: string): RawEntry | undefined;
	/** Whether its line is what its first and last bytes tell; of a line that nobody can read whole, they are all there is. */
	isAsOutlined(id: string): boolean;
	/** As `createBranchedSession`, but the file is made even if the path has no message. Returns its path. */
	createBranch(entryId: string): string;
}

/** Opens a session that exists as outlines; parameters as for `loadOutline`. Throws a `StoreError`, also for an empty file. */
export function openOutline(path: string, options: { readonly sniff: boolean }): SessionOutline {
	const loaded = loadOutline(path, options);
	if (loaded === undefined) throw emptySession(path);
	const { manager, storage, createBranch } = manageFile(path, loaded);
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

/** Whether an entry is the one that its outline says. What is not text has another form in memory. */
function isSame({ type, id, parentId }: SessionEntry, inFile: RawEntry | undefined): boolean {
	if (inFile?.type !== type || (typeof inFile.id === "string" && inFile.id !== id)) return false;
	return typeof inFile.parentId !== "string" || inFile.parentId === parentId;
}
