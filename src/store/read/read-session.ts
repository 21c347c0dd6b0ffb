import type { FileHandle } from "node:fs/promises";
import { runToEnd, TimeSlice } from "../../shared/steps.ts";
import { openFileAsync } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import { type Diagnostic, DiagnosticList } from "../format/diagnostic.ts";
import { hasTextIds } from "../format/file-ids.ts";
import { parseLine } from "../format/parse.ts";
import { CURRENT_SESSION_VERSION, timeOf } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionEntry } from "../format/schema.ts";
import { tableOf } from "../tree/entry-table.ts";
import type { SessionTree } from "../tree/tree.ts";
import { type Interpretation, interpretSteps, type ParsedLine, reportProblems } from "./interpret.ts";
import { type FileLine, rawLine, readLinesAsync } from "./line-reader.ts";
import { sniffLine } from "./outline.ts";
import { readEnd, readLines, readLinesSync } from "./read-lines.ts";

/** One session file, read whole. Reading writes nothing. */
export interface Session extends Interpretation {
	readonly path: string;
	/** Bytes that were read. */
	readonly size: number;
	/** Oddities, by line. */
	readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a session file to show it: nothing is written, oddities become diagnostics, and the event loop runs
 * every few milliseconds.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readSession(path: string, options: { signal?: AbortSignal } = {}): Promise<Session> {
	const { signal } = options;
	const timeSlice = new TimeSlice(signal);
	const diagnostics = new DiagnosticList();
	const lines: ParsedLine[] = [];
	let count = 0;
	const { size, dev, ino, end } = await readLines(
		path,
		timeSlice,
		(line, number) => {
			count = number;
			const raw = rawLine(line, number);
			const value = parseLine(raw, diagnostics) ?? sniffLine(raw);
			if (value !== undefined) lines.push({ line: number, value });
		},
		signal,
	);
	const interpretation = await timeSlice.run(interpretSteps(lines, size, diagnostics));
	const session: Session = { path, ...interpretation, size, diagnostics: diagnostics.toArray() };
	noteEnd(session, { dev, ino, lines: count, end });
	return session;
}

/** Like `readSession`, for a caller that may block its thread and reads many small files. Throws a `StoreError`. */
export function readSessionSync(path: string): Session {
	const diagnostics = new DiagnosticList();
	const lines: ParsedLine[] = [];
	const size = readLinesSync(path, (line) => {
		const value = parseLine(line, diagnostics) ?? sniffLine(line);
		if (value !== undefined) lines.push({ line: line.number, value });
	});
	const interpretation = runToEnd(interpretSteps(lines, size, diagnostics));
	return { path, ...interpretation, size, diagnostics: diagnostics.toArray() };
}

const NEWLINE = 0x0a;
/** A larger growth was not appended line by line: it is read like a whole session, in time slices. */
const MAX_APPENDED_BYTES = 1024 * 1024;
/** Enough for most appends. */
const BUFFER_BYTES = 64 * 1024;

/** The end of what was read of a file. */
export interface ReadingEnd {
	readonly dev: number;
	readonly ino: number;
	/** Lines read, the last one with its `\n`. */
	readonly lines: number;
	/** The last bytes that were read, up to END_BYTES. */
	readonly end: Buffer;
}

const ends = new WeakMap<Session, ReadingEnd>();

/** Remembers where the reading of a session ended, so that it can be extended; not if its last line has no `\n`. */
export function noteEnd(session: Session, reading: ReadingEnd): void {
	if (reading.end.at(-1) === NEWLINE) ends.set(session, reading);
}

/**
 * Extends a session by what was appended to its file since it was read, in the time that those lines take: the given
 * session's own data is extended, not copied, so it must not be used any more. Undefined, with nothing changed, if the file
 * did not just grow by entries as pi appends them: then it must be read again.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function extendSession(session: Session, signal?: AbortSignal): Promise<Session | undefined> {
	const reading = ends.get(session);
	if (!reading || session.version !== CURRENT_SESSION_VERSION || session.header === undefined) return undefined;
	try {
		const { handle, stats } = await openFileAsync(session.path);
		try {
			const isSame = stats.dev === reading.dev && stats.ino === reading.ino;
			const length = stats.size - session.size;
			if (!isSame || length < 0 || length > MAX_APPENDED_BYTES) return undefined;
			if (!(await readEnd(handle, session.size)).equals(reading.end)) return undefined;
			const appended = await readAppended(handle, session.size, stats.size, reading.lines);
			const end = appended && (await readEnd(handle, appended.size));
			signal?.throwIfAborted();
			const tree = appended && grow(session, appended.entries);
			if (!tree || !end) return undefined;
			const diagnostics = [...session.diagnostics, ...appended.diagnostics];
			const grown: Session = { ...session, tree, size: appended.size, diagnostics };
			noteEnd(grown, { ...reading, lines: appended.lines, end });
			return grown;
		} finally {
			await handle.close();
		}
	} catch (error) {
		signal?.throwIfAborted();
		throw storeError(session.path, "read the session", error);
	}
}

interface AppendedEntry {
	readonly entry: SessionEntry;
	readonly line: number;
}

interface Appended {
	readonly entries: readonly AppendedEntry[];
	readonly diagnostics: readonly Diagnostic[];
	/** Of the file up to the last whole line: a line that is still being written is read once it is whole. */
	readonly size: number;
	readonly lines: number;
}

/** The whole lines from `from` on; undefined if one is not an entry with ids as pi writes them. */
async function readAppended(
	handle: FileHandle,
	from: number,
	to: number,
	before: number,
): Promise<Appended | undefined> {
	const diagnostics = new DiagnosticList();
	const entries: AppendedEntry[] = [];
	let lines = before;
	let size = from;
	let isUsable = true;
	const onLine = (line: FileLine) => {
		if (!line.terminated) return true;
		lines += 1;
		size = line.next;
		const value = parseLine(rawLine(line, lines), diagnostics);
		if (value === undefined || value.type === "session" || !hasTextIds(value)) {
			isUsable = false;
			return true;
		}
		const { entry, problems } = repairEntry(value);
		reportProblems(value, problems, lines, diagnostics);
		entries.push({ entry, line: lines });
		return true;
	};
	const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
	await readLinesAsync(handle, { from, to, buffer, onLine }, async () => undefined);
	return isUsable ? { entries, diagnostics: diagnostics.toArray(), size, lines } : undefined;
}

/** Adds the entries to a session's tree; undefined, with nothing added, if one is not simply a further entry. */
function grow(session: Session, appended: readonly AppendedEntry[]): SessionTree | undefined {
	const known = new Map<string, SessionEntry>();
	for (const { entry } of appended) {
		const { id, parentId } = entry;
		if (session.tree.byId.has(id) || known.has(id)) return undefined;
		if (parentId !== null && !session.tree.byId.has(parentId) && !known.has(parentId)) return undefined;
		known.set(id, entry);
	}
	const table = tableOf(session);
	if (table === undefined || !inOrderOfTime(session.tree, appended)) return undefined;
	for (const { entry, line } of appended) table.add(entry, line);
	return table.tree();
}

/** Whether each entry is later than its siblings, so that appending keeps them sorted by time. */
function inOrderOfTime(tree: SessionTree, appended: readonly AppendedEntry[]): boolean {
	const last = new Map<string | null, number>();
	for (const { entry } of appended) {
		const { parentId } = entry;
		const time = timeOf(entry.timestamp);
		const siblings = parentId === null ? tree.roots : tree.children.get(parentId);
		const sibling = siblings?.at(-1);
		const before = last.get(parentId) ?? (sibling ? timeOf(sibling.timestamp) : Number.NEGATIVE_INFINITY);
		// Also false for an invalid time.
		if (!(time >= before)) return false;
		last.set(parentId, time);
	}
	return true;
}
