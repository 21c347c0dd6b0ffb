import type { FileHandle } from "node:fs/promises";
import { type Steps, TimeSlice } from "../../shared/steps.ts";
import { openFileAsync } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import { type Diagnostic, DiagnosticList } from "../format/diagnostic.ts";
import { hasTextIds } from "../format/file-ids.ts";
import { parseLine } from "../format/parse.ts";
import { CURRENT_SESSION_VERSION, type RawEntry } from "../format/raw-entry.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionEntry } from "../format/schema.ts";
import type { SessionTree } from "../tree/session-table.ts";
import { type Interpretation, interpretSteps, type ParsedLine, reportProblems } from "./interpret.ts";
import { type FileLine, rawLine, readLinesAsync } from "./line-reader.ts";
import { sniffLine } from "./outline.ts";
import { readEnd, readLines } from "./read-lines.ts";

/** One session file, read whole. Reading writes nothing. */
export interface Session extends Interpretation {
	readonly path: string;
	/** Bytes that were read. */
	readonly size: number;
	/** Oddities, by line. */
	readonly diagnostics: readonly Diagnostic[];
}

/** Gathers a session from all its lines, in order; oddities become diagnostics. */
export class ParsedLines {
	count = 0;
	readonly #lines: ParsedLine[] = [];
	readonly #diagnostics = new DiagnosticList();

	/** Adds the next line. `hold`: finds the held message that stands for an entry; undefined if the entry stays as it was parsed. */
	add(line: FileLine, hold?: (line: FileLine, value: RawEntry) => RawEntry | undefined): void {
		this.count += 1;
		const raw = rawLine(line, this.count);
		const value = parseLine(raw, this.#diagnostics) ?? sniffLine(raw);
		if (value === undefined) return;
		const held = hold?.(line, value);
		this.#lines.push({ line: this.count, value: held ?? value, isHeld: held !== undefined });
	}

	*finish(path: string, { size, ...end }: Omit<ReadingEnd, "lines"> & Pick<Session, "size">): Steps<Session> {
		const interpretation = yield* interpretSteps(this.#lines, size, this.#diagnostics);
		const session: Session = { path, ...interpretation, size, diagnostics: this.#diagnostics.toArray() };
		noteEnd(session, { ...end, lines: this.count });
		return session;
	}
}

/**
 * Reads a session file to show it: nothing is written, oddities become diagnostics, and the event loop runs
 * every few milliseconds.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readSession(path: string, options: { signal?: AbortSignal } = {}): Promise<Session> {
	const { signal } = options;
	const timeSlice = new TimeSlice(signal);
	const lines = new ParsedLines();
	const read = await readLines(path, timeSlice, (line) => lines.add(line), signal);
	return timeSlice.run(lines.finish(path, read));
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
	linesBefore: number,
): Promise<Appended | undefined> {
	const diagnostics = new DiagnosticList();
	const entries: AppendedEntry[] = [];
	let lines = linesBefore;
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
function grow({ tree: { table } }: Session, appended: readonly AppendedEntry[]): SessionTree | undefined {
	const ids = new Set<string>();
	for (const { entry } of appended) {
		if (ids.has(entry.id) || !table.takes(entry, ids)) return undefined;
		ids.add(entry.id);
	}
	for (const { entry, line } of appended) table.add(entry, line);
	return table.tree();
}
