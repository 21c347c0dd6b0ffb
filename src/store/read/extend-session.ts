import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { storeError } from "../files/store-error.ts";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { CURRENT_SESSION_VERSION } from "../format/known-types.ts";
import { LineSplitter } from "../format/lines.ts";
import { parseLine } from "../format/parse.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionEntry } from "../format/schema.ts";
import { timeOf } from "../format/time.ts";
import type { SessionTree } from "../tree/tree.ts";
import { reportProblems } from "./interpret.ts";
import { TAIL_BYTES } from "./read-lines.ts";
import type { Session } from "./read-session.ts";

const NEWLINE = 0x0a;
/** More than this was not appended line by line: it is read as a session is, in time slices. */
const MAX_APPENDED_BYTES = 1024 * 1024;

/** What must be known of a reading to go on from its end. */
export interface ReadingEnd {
	readonly dev: number;
	readonly ino: number;
	/** Lines read, the last one with its `\n`. */
	readonly lines: number;
	/** The last bytes that were read, up to TAIL_BYTES. */
	readonly tail: Buffer;
}

const ends = new WeakMap<Session, ReadingEnd>();

/** Notes where the reading of a session has ended, so that it can be extended; not where its last line has no `\n`. */
export function noteEnd(session: Session, end: ReadingEnd): void {
	if (end.tail.at(-1) === NEWLINE) ends.set(session, end);
}

/**
 * The session with what was appended to its file since it was read. It takes the time that those lines take: the parts of
 * the session before it are gone on with, not copied, so that one must not be used any more. Undefined, and nothing
 * changed, where the file has not just grown by entries as pi appends them: then it must be read anew.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function extendSession(session: Session, signal?: AbortSignal): Promise<Session | undefined> {
	const end = ends.get(session);
	if (!end || session.version !== CURRENT_SESSION_VERSION || session.header === undefined) return undefined;
	try {
		const handle = await open(session.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		try {
			const appended = await readAppended(handle, session.size, end);
			signal?.throwIfAborted();
			return appended && extend(session, end, appended);
		} finally {
			await handle.close();
		}
	} catch (error) {
		signal?.throwIfAborted();
		throw storeError(session.path, "read the session", error);
	}
}

/** The bytes behind `size`; undefined when those before it are not what was read, or there are very many. */
async function readAppended(handle: FileHandle, size: number, end: ReadingEnd): Promise<Buffer | undefined> {
	const stats = await handle.stat();
	const length = stats.size - size;
	if (!stats.isFile() || stats.dev !== end.dev || stats.ino !== end.ino || length < 0 || length > MAX_APPENDED_BYTES)
		return undefined;
	const bytes = Buffer.allocUnsafe(end.tail.length + length);
	const { bytesRead } = await handle.read(bytes, 0, bytes.length, size - end.tail.length);
	if (bytesRead < bytes.length || !bytes.subarray(0, end.tail.length).equals(end.tail)) return undefined;
	return bytes.subarray(end.tail.length);
}

interface Appended {
	readonly entry: SessionEntry;
	readonly line: number;
}

function extend(session: Session, end: ReadingEnd, bytes: Buffer): Session | undefined {
	// A line that is still being written is read when it is whole.
	const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
	const diagnostics = new DiagnosticList();
	const appended: Appended[] = [];
	let lines = end.lines;
	for (const raw of new LineSplitter().push(whole)) {
		lines += 1;
		const value = parseLine({ ...raw, number: lines }, diagnostics);
		if (value === undefined || value.type === "session" || typeof value.id !== "string") return undefined;
		const { entry, problems } = repairEntry(value);
		reportProblems(value, problems, lines, diagnostics);
		appended.push({ entry, line: lines });
	}
	const tree = grow(session, appended);
	if (!tree) return undefined;
	const size = session.size + whole.length;
	const grown: Session = {
		...session,
		tree,
		size,
		diagnostics: [...session.diagnostics, ...diagnostics.toArray()],
	};
	const tail = Buffer.concat([end.tail, whole]);
	noteEnd(grown, { ...end, lines, tail: Buffer.from(tail.subarray(Math.max(0, tail.length - TAIL_BYTES))) });
	return grown;
}

/** Adds the entries to the parts of a session; undefined, and nothing added, where one is not simply one more entry. */
function grow(session: Session, appended: readonly Appended[]): SessionTree | undefined {
	const known = new Map<string, SessionEntry>();
	for (const { entry } of appended) {
		const { id, parentId } = entry;
		if (session.tree.byId.has(id) || known.has(id)) return undefined;
		if (parentId !== null && !session.tree.byId.has(parentId) && !known.has(parentId)) return undefined;
		known.set(id, entry);
	}
	const { tree } = session;
	if (!inOrderOfTime(tree, appended)) return undefined;
	let { leafId, name } = tree;
	// They were made by `readSession`, and are read-only only for others.
	const entries = session.entries as SessionEntry[];
	const lines = session.lines as Map<string, number>;
	const byId = tree.byId as Map<string, SessionEntry>;
	const parentOf = tree.parentOf as Map<string, string>;
	const children = tree.children as Map<string, SessionEntry[]>;
	const roots = tree.roots as SessionEntry[];
	const labels = tree.labels as Map<string, { text: string; timestamp: string }>;
	for (const { entry, line } of appended) {
		entries.push(entry);
		lines.set(entry.id, line);
		byId.set(entry.id, entry);
		leafId = entry.id;
		if (entry.parentId === null) roots.push(entry);
		else {
			parentOf.set(entry.id, entry.parentId);
			const siblings = children.get(entry.parentId);
			if (siblings) siblings.push(entry);
			else children.set(entry.parentId, [entry]);
		}
		if (entry.type === "label") {
			if (entry.label) labels.set(entry.targetId, { text: entry.label, timestamp: entry.timestamp });
			else labels.delete(entry.targetId);
		} else if (entry.type === "session_info") {
			name = typeof entry.name === "string" ? entry.name.trim() || undefined : undefined;
		}
	}
	return { ...tree, leafId, name };
}

/** Whether each entry comes after its siblings by time too, which is the order in which the tree has them. */
function inOrderOfTime(tree: SessionTree, appended: readonly Appended[]): boolean {
	const last = new Map<string | null, number>();
	for (const { entry } of appended) {
		const { parentId } = entry;
		const time = timeOf(entry.timestamp);
		const siblings = parentId === null ? tree.roots : tree.children.get(parentId);
		const sibling = siblings?.at(-1);
		const before = last.get(parentId) ?? (sibling ? timeOf(sibling.timestamp) : Number.NEGATIVE_INFINITY);
		// False for a time that is none, too.
		if (!(time >= before)) return false;
		last.set(parentId, time);
	}
	return true;
}
