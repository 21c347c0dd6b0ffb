import { existsSync } from "node:fs";
import { dirname, expandPath, join, resolvePath } from "../../shared/paths.ts";
import { migrateSessionEntries, versionOf } from "../format/migrate.ts";
import {
	assertValidSessionId,
	currentSystemMessage,
	type EntryBase,
	fittingReplacement,
	newEntryId,
	newSessionId,
	sessionFileName,
	storedName,
} from "../format/new-entry.ts";
import { CURRENT_SESSION_VERSION } from "../format/raw-entry.ts";
import type {
	BashExecutionMessage,
	ContextEditEntry,
	CustomMessage,
	CustomMessageEntry,
	FileEntry,
	Message,
	SessionEntry,
	SessionHeader,
	Usage,
	UsageEntry,
} from "../format/schema.ts";
import { listDirectory, listProjects, type SessionInfo, type SessionListProgress } from "../read/list-sessions.ts";
import { type LoadedFile, loadFile } from "../read/load-file.ts";
import { cwdMatches, findMostRecentSession, findSessionById } from "../read/read-header.ts";
import { agentDir, defaultSessionDir } from "../read/session-dir.ts";
import { type BranchedPath, branchedPath } from "../tree/branch-path.ts";
import {
	buildContextEntries,
	buildSessionProjection,
	type SessionContext,
	type SessionProjection,
} from "../tree/context.ts";
import { EntryIndex, isConversation, type SessionTreeNode, treeNodes, walkUp } from "../tree/entry-index.ts";
import { nameIn } from "../tree/labels.ts";
import { lineOf } from "../write/entry-text.ts";
import { forkFile } from "../write/fork-file.ts";
import { SessionStorage } from "./session-storage.ts";

/** Options for a new session. */
export interface NewSessionOptions {
	/** Letters, digits, "-", "_", "."; a new UUID when absent. */
	id?: string;
	/** Path of the session that this one is derived from. */
	parentSession?: string;
}

/** The methods of a `SessionManager` that change nothing. */
export type ReadonlySessionManager = Pick<
	SessionManager,
	| "getCwd"
	| "getSessionDir"
	| "getSessionId"
	| "getSessionFile"
	| "getLeafId"
	| "getLeafEntry"
	| "getEntry"
	| "getLabel"
	| "getBranch"
	| "buildContextEntries"
	| "buildSessionProjection"
	| "getHeader"
	| "getEntries"
	| "getTree"
	| "getSessionName"
>;

/** The manager of a loaded file, and what `session-outline.ts` needs besides. */
interface ManagedFile {
	readonly manager: SessionManager;
	readonly storage: SessionStorage;
	/** As `createBranchedSession`, but the file is made even if the path has no message. Returns its path. */
	readonly createBranch: (entryId: string) => string | undefined;
}

let manageLoaded: (path: string, loaded: LoadedFile, dir: string, cwd?: string) => ManagedFile;

/** Makes the manager of a session from its loaded file. `dir`: where its new sessions go; `cwd`: their project, if not that of the file. */
export function manageFile(
	path: string,
	loaded: LoadedFile,
	{ dir = dirname(path), cwd }: { readonly dir?: string; readonly cwd?: string } = {},
): ManagedFile {
	return manageLoaded(path, loaded, dir, cwd);
}

/**
 * One session: its entries in memory, its file, and the leaf, which is the entry that the next one is appended to.
 * Names, parameters, defaults and results are those of pi 0.87's class; where pi loses data, this class does not
 * (docs/format.md lists the differences). Nothing is written before the first append.
 */
export class SessionManager {
	#cwd: string;
	#sessionDir: string;
	readonly #persist: boolean;
	#sessionId = "";
	#entries: FileEntry[] = [];
	#index = new EntryIndex();
	#leafId: string | null = null;
	/** Whether the caller chose the leaf, so that it need not be the last entry of the file. */
	#isLeafChosen = false;
	#storage: SessionStorage | undefined;

	static {
		manageLoaded = (path, loaded, dir, cwd) => SessionManager.#manage(path, loaded, dir, cwd);
	}

	private constructor(cwd: string, sessionDir: string, persist: boolean) {
		this.#cwd = resolvePath(cwd);
		this.#sessionDir = expandPath(sessionDir);
		this.#persist = persist;
	}

	/** A new session in the project `cwd`; its file is created with the first user or assistant message. */
	static create(cwd: string, sessionDir?: string, options?: NewSessionOptions): SessionManager {
		const manager = new SessionManager(cwd, directory(cwd, sessionDir), true);
		manager.newSession(options);
		return manager;
	}

	/**
	 * Opens a session file; if the file does not exist or is empty, begins a new session that will be written there.
	 * `sessionDir`: where new sessions go, by default the file's directory. `cwdOverride` replaces the header's `cwd`.
	 * Throws a `StoreError` when the file cannot be read or is not a session.
	 */
	static open(path: string, sessionDir?: string, cwdOverride?: string): SessionManager {
		const resolved = resolvePath(path);
		const manager = new SessionManager(cwdOverride ?? process.cwd(), sessionDir ?? dirname(resolved), true);
		manager.setSessionFile(resolved);
		const cwd = cwdOverride ?? manager.getHeader()?.cwd;
		if (typeof cwd === "string") manager.#cwd = resolvePath(cwd);
		return manager;
	}

	/** The most recently written session of the project, or a new one. */
	static continueRecent(cwd: string, sessionDir?: string): SessionManager {
		const dir = directory(cwd, sessionDir);
		const recent = findMostRecentSession(dir, isShared(cwd, sessionDir) ? cwd : undefined);
		if (recent === null) return SessionManager.create(cwd, sessionDir);
		const manager = new SessionManager(cwd, dir, true);
		manager.setSessionFile(recent);
		return manager;
	}

	/** A session that is never written; it begins with `entries`, with or without a header among them. */
	static inMemory(cwd: string = process.cwd(), options?: NewSessionOptions, entries?: FileEntry[]): SessionManager {
		const manager = new SessionManager(cwd, "", false);
		manager.newSession(options);
		if (entries?.length) manager.#takeEntries(entries);
		return manager;
	}

	/**
	 * Copies a whole session with all its branches into a new file for the project `targetCwd`, its entries as they are
	 * written, and opens the copy. Throws a `StoreError` when the source is not a session.
	 */
	static forkFrom(
		sourcePath: string,
		targetCwd: string,
		sessionDir?: string,
		options?: NewSessionOptions,
	): SessionManager {
		const cwd = resolvePath(targetCwd);
		const dir = directory(cwd, sessionDir);
		const manager = new SessionManager(cwd, dir, true);
		manager.setSessionFile(forkFile(resolvePath(sourcePath), cwd, dir, { id: options?.id }));
		return manager;
	}

	/** The sessions of the project, last activity first; in a custom `sessionDir`, those with this `cwd`. */
	static async list(
		cwd: string,
		sessionDir?: string,
		onProgress?: SessionListProgress,
		signal?: AbortSignal,
	): Promise<SessionInfo[]> {
		const resolvedCwd = resolvePath(cwd);
		const shared = isShared(cwd, sessionDir);
		const included = (session: SessionInfo) => !shared || cwdMatches(session.cwd, resolvedCwd);
		const progress: SessionListProgress | undefined =
			onProgress && ((loaded, total, partial) => onProgress(loaded, total, partial?.filter(included)));
		const sessions = await listDirectory(directory(cwd, sessionDir), { onProgress: progress, signal });
		return sessions.filter(included);
	}

	/** The sessions of all projects, last activity first; with a `sessionDir`, all in that directory. */
	static listAll(onProgress?: SessionListProgress, signal?: AbortSignal): Promise<SessionInfo[]>;
	static listAll(sessionDir?: string, onProgress?: SessionListProgress, signal?: AbortSignal): Promise<SessionInfo[]>;
	static listAll(
		first?: string | SessionListProgress,
		second?: SessionListProgress | AbortSignal,
		third?: AbortSignal,
	): Promise<SessionInfo[]> {
		const onProgress = typeof first === "function" ? first : typeof second === "function" ? second : undefined;
		const signal = second instanceof AbortSignal ? second : third;
		return typeof first === "string" && first !== ""
			? listDirectory(expandPath(first), { onProgress, signal })
			: listProjects(join(agentDir(), "sessions"), { onProgress, signal });
	}

	/** The file of the session of this project that has exactly this id. */
	static findById(cwd: string, id: string, sessionDir?: string): string | undefined {
		return findSessionById(directory(cwd, sessionDir), id, isShared(cwd, sessionDir) ? cwd : undefined);
	}

	/** Starts a new session in this object; returns the path that its file will have, undefined in memory. */
	newSession(options?: NewSessionOptions): string | undefined {
		if (options?.id !== undefined) assertValidSessionId(options.id);
		const header = this.#newHeader(options?.id ?? newSessionId(), options?.parentSession);
		this.#start([header], new EntryIndex(), this.#persist ? new SessionStorage(this.#newPath(header)) : undefined);
		return this.getSessionFile();
	}

	static #manage(path: string, loaded: LoadedFile, dir: string, cwdOverride?: string): ManagedFile {
		const manager = new SessionManager(process.cwd(), dir, true);
		const storage = new SessionStorage(path, loaded);
		manager.#start(loaded.entries, EntryIndex.of(loaded.entries), storage);
		const cwd = cwdOverride ?? manager.getHeader()?.cwd;
		if (typeof cwd === "string") manager.#cwd = resolvePath(cwd);
		// `getBranch` treats the id "" as none, as pi does; here it is an id.
		const pathTo = (id: string): SessionEntry[] => walkUp(manager.#existing(id), manager.#index.byId);
		return { manager, storage, createBranch: (id) => manager.#createBranch(pathTo(id), true) };
	}

	/** Switches to another file, like `open`, but keeps the working directory. */
	setSessionFile(path: string): void {
		const resolved = resolvePath(path);
		const loaded = existsSync(resolved) ? loadFile(resolved) : undefined;
		if (loaded !== undefined) {
			this.#start(loaded.entries, EntryIndex.of(loaded.entries), new SessionStorage(resolved, loaded));
		} else {
			this.#start([this.#newHeader(newSessionId(), undefined)], new EntryIndex(), new SessionStorage(resolved));
		}
	}

	/**
	 * Switches to a new session with the path to one entry, its labels, and `parentSession` set. Its file is created at
	 * once if the path has a user or assistant message. Returns the file's path, undefined in memory.
	 * Throws when there is no such entry, and a `StoreError` when the file cannot be created; nothing has changed then.
	 */
	createBranchedSession(leafId: string): string | undefined {
		const path = this.getBranch(leafId);
		if (path.length === 0) throw notFound(leafId);
		return this.#createBranch(path, false);
	}

	/** `isWanted`: make the file even if the path has no message. */
	#createBranch(path: readonly SessionEntry[], isWanted: boolean): string | undefined {
		const branched = branchedPath(path, this.#index.labels);
		const header = this.#newHeader(newSessionId(), this.getSessionFile());
		const entries = [header, ...branched.path.map(({ entry }) => entry), ...branched.labels];
		const index = EntryIndex.of(entries);
		if (!this.#persist) {
			this.#start(entries, index, undefined);
			return undefined;
		}
		const storage = new SessionStorage(this.#newPath(header));
		if (isWanted || index.hasConversation) {
			storage.create(this.#linesOf(header, branched), this.#storage);
			storage.takeSpansFromFile(entries);
		}
		this.#start(entries, index, storage);
		return storage.path;
	}

	/** Whether the session has, or will have, a file. */
	isPersisted(): boolean {
		return this.#persist;
	}

	getCwd(): string {
		return this.#cwd;
	}

	/** Where new sessions go; "" in memory. */
	getSessionDir(): string {
		return this.#sessionDir;
	}

	/** Whether `getSessionDir` is the default directory of the working directory. */
	usesDefaultSessionDir(): boolean {
		return this.#sessionDir === defaultSessionDir(this.#cwd);
	}

	getSessionId(): string {
		return this.#sessionId;
	}

	/** Absolute path, even before the file is created; undefined in memory. */
	getSessionFile(): string | undefined {
		return this.#storage?.path;
	}

	/** Appends a message to the leaf, and so do all `append…` methods. Returns the entry's id. */
	appendMessage(message: Message | CustomMessage | BashExecutionMessage): string {
		return this.#append((base) => ({ type: "message", ...base, message }));
	}

	appendThinkingLevelChange(thinkingLevel: string): string {
		return this.#append((base) => ({ type: "thinking_level_change", ...base, thinkingLevel }));
	}

	appendModelChange(provider: string, modelId: string): string {
		return this.#append((base) => ({ type: "model_change", ...base, provider, modelId }));
	}

	/** Records tokens spent outside the conversation. Returns the entry itself, as pi 0.87 does. */
	appendUsage(kind: string, provider: string, model: string, usage: Usage, note?: string): UsageEntry {
		const entry: UsageEntry = {
			type: "usage",
			...this.#nextBase(),
			kind,
			provider,
			model,
			usage,
			...(note ? { note } : {}),
		};
		this.#append(() => entry);
		return entry;
	}

	/** `firstKeptEntryId` null: no earlier entry is kept. `tokensBefore`: size of the context before, in tokens. */
	appendCompaction<T = unknown>(
		summary: string,
		firstKeptEntryId: string | null,
		tokensBefore: number,
		details?: T,
		fromHook?: boolean,
		usage?: Usage,
	): string {
		if (firstKeptEntryId !== null) this.#storage?.requireId(firstKeptEntryId);
		const system = currentSystemMessage(this.buildSessionProjection().messages);
		return this.#append((base) => ({
			type: "compaction",
			...base,
			summary,
			firstKeptEntryId: firstKeptEntryId ?? base.id,
			tokensBefore,
			details,
			usage,
			fromHook,
			...(system ? { systemMessage: { ...system, timestamp: Date.parse(base.timestamp) } } : {}),
		}));
	}

	/** Appends state of an extension, which the model does not get. */
	appendCustomEntry(customType: string, data?: unknown): string {
		return this.#append((base) => ({ type: "custom", customType, data, ...base }));
	}

	/** Names the session; "" clears the name. */
	appendSessionInfo(name: string): string {
		return this.#append((base) => ({ type: "session_info", ...base, name: storedName(name) }));
	}

	/** Appends a message of an extension, which the model gets; `display`: whether pi shows it. */
	appendCustomMessageEntry<T = unknown>(
		customType: string,
		content: CustomMessageEntry["content"],
		display: boolean,
		details?: T,
	): string {
		return this.#append((base) => ({ type: "custom_message", customType, content, display, details, ...base }));
	}

	/** Replaces what the model gets of an earlier entry of this branch; null leaves the entry out. */
	appendContextEdit(targetId: string, replacement: ContextEditEntry["replacement"]): string {
		const target = this.#existing(targetId);
		this.#storage?.requireId(targetId);
		if (!this.getBranch().includes(target)) throw new Error(`Entry ${targetId} is not on the active branch`);
		const fitting = fittingReplacement(target, replacement);
		return this.#append((base) => ({ type: "context_edit", ...base, targetId, replacement: fitting }));
	}

	/** Sets an entry's label; undefined or "" removes it. */
	appendLabelChange(targetId: string, label: string | undefined): string {
		this.#existing(targetId);
		this.#storage?.requireId(targetId);
		return this.#append((base) => ({ type: "label", ...base, targetId, label }));
	}

	/** The last name that was set, trimmed. */
	getSessionName(): string | undefined {
		const info = this.#entries.findLast((entry) => entry.type === "session_info");
		return info && nameIn(info);
	}

	/** Null when the leaf is before all entries. */
	getLeafId(): string | null {
		return this.#leafId;
	}

	getLeafEntry(): SessionEntry | undefined {
		return this.#leafId === null ? undefined : this.getEntry(this.#leafId);
	}

	getEntry(id: string): SessionEntry | undefined {
		return this.#index.byId.get(id);
	}

	/** The direct children, in file order. */
	getChildren(parentId: string): SessionEntry[] {
		return this.#index.childrenOf(parentId);
	}

	getLabel(id: string): string | undefined {
		return this.#index.labels.get(id)?.text;
	}

	/** The entries from the root to `fromId`, by default to the leaf; empty if there is no such entry. */
	getBranch(fromId?: string): SessionEntry[] {
		const id = fromId ?? this.#leafId;
		const leaf = id ? this.getEntry(id) : undefined;
		return leaf === undefined ? [] : walkUp(leaf, this.#index.byId);
	}

	/** The entries whose content the model gets; see the function of the same name. */
	buildContextEntries(): SessionEntry[] {
		return buildContextEntries(this.getEntries(), this.#leafId, this.#index.byId);
	}

	/** The context of the model, with the entries that it is made of. */
	buildSessionProjection(): SessionProjection {
		return buildSessionProjection(this.getEntries(), this.#leafId, this.#index.byId);
	}

	buildSessionContext(): SessionContext {
		const { messages, thinkingLevel, model } = this.buildSessionProjection();
		return { messages, thinkingLevel, model };
	}

	getHeader(): SessionHeader | null {
		return this.#entries.find((entry) => entry.type === "session") ?? null;
	}

	/** Number of entries, without the header; entries with the same id count once (pi 1.5). */
	getEntryCount(): number {
		return this.#index.byId.size;
	}

	/** All entries in file order, without the header; the list is a copy, the entries are not. */
	getEntries(): SessionEntry[] {
		return this.#entries.filter((entry) => entry.type !== "session");
	}

	/** All entries as nested nodes; entries whose parent is missing are roots. */
	getTree(): SessionTreeNode[] {
		return treeNodes(this.getEntries(), this.#index.labels);
	}

	/** Makes an earlier entry the leaf; nothing is written. Throws when there is no such entry. */
	branch(branchFromId: string): void {
		this.#leafId = this.#existing(branchFromId).id;
		this.#isLeafChosen = true;
	}

	/** Moves the leaf before all entries: the next one is a new root. */
	resetLeaf(): void {
		this.#leafId = null;
		this.#isLeafChosen = true;
	}

	/** Makes an earlier entry (null: none) the leaf and appends a summary of the branch that was left. */
	branchWithSummary(
		branchFromId: string | null,
		summary: string,
		details?: unknown,
		fromHook?: boolean,
		usage?: Usage,
	): string {
		if (branchFromId !== null) this.#existing(branchFromId);
		const fromId = this.#leafId ?? "root";
		return this.#append((base) => ({
			type: "branch_summary",
			...base,
			parentId: this.#parentAfter(branchFromId, true),
			fromId,
			summary,
			details,
			usage,
			fromHook,
		}));
	}

	/** Writes to disk first: on failure, memory stays in step with the file. */
	#append(make: (base: EntryBase) => SessionEntry): string {
		const entry = make(this.#nextBase());
		if (this.#storage?.isWritten) this.#storage.append(entry, this.#entries);
		else if (this.#index.hasConversation || isConversation(entry)) {
			this.#storage?.create([...this.#entries, entry].map(lineOf));
		}
		this.#entries.push(entry);
		this.#index.add(entry);
		this.#leafId = entry.id;
		this.#isLeafChosen = false;
		return entry.id;
	}

	#nextBase(): EntryBase {
		const id = newEntryId((used) => this.#index.byId.has(used));
		const parentId = this.#parentAfter(this.#leafId, this.#isLeafChosen);
		return { id, parentId, timestamp: new Date().toISOString() };
	}

	/** The parent id of an entry that continues from `id`; throws a `StoreError` if the file has no id for it. */
	#parentAfter(id: string | null, isChosen: boolean): string | null {
		const entry = id === null ? undefined : this.getEntry(id);
		if (entry === undefined || this.#storage === undefined || !this.#storage.isWritten) return id;
		return this.#storage.parentAfter(entry, () => walkUp(entry, this.#index.byId), isChosen);
	}

	#existing(id: string): SessionEntry {
		const entry = this.getEntry(id);
		if (entry === undefined) throw notFound(id);
		return entry;
	}

	*#linesOf(header: SessionHeader, { path, labels }: BranchedPath): Generator<string | Uint8Array> {
		yield lineOf(header);
		yield* this.#storage?.linesOf(path, labels) ?? [];
	}

	#start(entries: FileEntry[], index: EntryIndex, storage: SessionStorage | undefined): void {
		this.#entries = entries;
		this.#index = index;
		this.#leafId = this.#index.lastId;
		this.#isLeafChosen = false;
		this.#sessionId = this.getHeader()?.id ?? "";
		this.#storage = storage;
	}

	#takeEntries(entries: readonly FileEntry[]): void {
		const header = this.getHeader();
		const hasHeader = entries.some((entry) => entry.type === "session");
		const all = hasHeader || header === null ? [...entries] : [header, ...entries];
		migrateSessionEntries(all);
		this.#start(all, EntryIndex.of(all), undefined);
	}

	#newHeader(id: string, parentSession: string | undefined): SessionHeader {
		// A branch of a session of a newer version has that version too, because its entries do.
		const version = Math.max(CURRENT_SESSION_VERSION, versionOf({ ...this.getHeader() }));
		const timestamp = new Date().toISOString();
		return { type: "session", version, id, timestamp, cwd: this.#cwd, ...(parentSession ? { parentSession } : {}) };
	}

	#newPath(header: SessionHeader): string {
		return join(this.#sessionDir, sessionFileName(header.timestamp, header.id));
	}
}

/** In pi's words, except that an empty id is visible. */
function notFound(id: string): Error {
	return new Error(`Entry ${id === "" ? '""' : id} not found`);
}

function directory(cwd: string, sessionDir: string | undefined): string {
	return sessionDir ? expandPath(sessionDir) : defaultSessionDir(cwd);
}

/** Whether the directory also holds sessions of other projects, so that only the headers distinguish them. */
function isShared(cwd: string, sessionDir: string | undefined): boolean {
	return sessionDir !== undefined && directory(cwd, sessionDir) !== defaultSessionDir(cwd);
}
