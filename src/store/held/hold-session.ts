import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import { TimeSlice } from "../../shared/time-slice.ts";
import { openFileAsync } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { emptyEnvelope } from "../format/envelope.ts";
import { hasTextIds } from "../format/file-ids.ts";
import { CURRENT_SESSION_VERSION } from "../format/known-types.ts";
import { MAX_LINE_BYTES } from "../format/lines.ts";
import { sniffMessage } from "../format/message-facts.ts";
import { parseLine, type RawEntry } from "../format/parse.ts";
import { repairEntry } from "../format/repair-entry.ts";
import type { SessionEntry, SessionHeader } from "../format/schema.ts";
import { noteEnd } from "../read/extend-session.ts";
import { checkedHeader } from "../read/interpret.ts";
import { readEnd } from "../read/read-lines.ts";
import type { Session } from "../read/read-session.ts";
import { EntryTable, noteTable } from "../tree/entry-table.ts";
import { HeldLines, type Span } from "./held-lines.ts";
import { HeldMessage } from "./held-message.ts";

/** A smaller session is parsed before anyone notices. In bytes. */
const MIN_BYTES = 1024 * 1024;
/** The file is read in parts of this size. */
const PART_BYTES = 4 * 1024 * 1024;
/** A longer line is parsed at once: there are few, and each look at it would take as long. */
const MAX_HELD_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
/** Its line: after the header. */
const FIRST_ENTRY = 2;

/** By the list of a session's entries, which stays the same list when the session grows. */
const heldLines = new WeakMap<readonly SessionEntry[], HeldLines>();
const unchecked = new WeakSet<readonly SessionEntry[]>();

/**
 * The held messages of a session in which a tool is called, by their index, with the id of the call: as pi writes calls.
 * Nothing is parsed for it.
 */
export function* heldCalls({ entries }: Session): Generator<readonly [index: number, id: string], void> {
	yield* heldLines.get(entries)?.following('{"type":"toolCall","id":"') ?? [];
}

/** Whether a session may still turn out to be another one than it looks: `checkHeldSteps` has not gone through it. */
export function isUnchecked({ entries }: Session): boolean {
	return unchecked.has(entries);
}

/** Notes that all held messages of a session are what they were taken for. */
export function noteChecked({ entries }: Session): void {
	unchecked.delete(entries);
}

/**
 * Reads a large session to show it soon, several times as soon as `readSession`, in a fraction of the memory: most of its
 * messages are recognized by their first and last bytes, and held as bytes. Undefined for a small session, and for any in
 * which something is odd that can be seen so: an older version, damage, ids twice or not in order. What cannot be seen so,
 * `checkHeldSteps` finds later. Rejects as `readSession` does.
 */
export async function holdSession(
	path: string,
	options: { signal?: AbortSignal | undefined; minBytes?: number } = {},
): Promise<Session | undefined> {
	const { signal, minBytes = MIN_BYTES } = options;
	signal?.throwIfAborted();
	try {
		const { handle, stats } = await openFileAsync(path);
		try {
			if (stats.size < minBytes) return undefined;
			const bytes = await readAll(handle, stats.size, signal);
			const found = isUtf8(bytes) ? await new TimeSlice(signal).run(holdSteps(bytes)) : undefined;
			if (found === undefined) return undefined;
			const { header, table, held, count } = found;
			const { entries } = table;
			noteTable(entries, table);
			heldLines.set(entries, held);
			const parts = { entries, lines: table.lines(FIRST_ENTRY), tree: table.tree(), size: bytes.length };
			const session = { path, header, version: CURRENT_SESSION_VERSION, ...parts, diagnostics: [] };
			const end = await readEnd(handle, bytes.length);
			noteEnd(session, { dev: stats.dev, ino: stats.ino, lines: count, end });
			unchecked.add(entries);
			return session;
		} finally {
			await handle.close();
		}
	} catch (error) {
		signal?.throwIfAborted();
		throw storeError(path, "read the session", error);
	}
}

async function readAll(handle: FileHandle, size: number, signal: AbortSignal | undefined): Promise<Buffer> {
	const bytes = Buffer.allocUnsafeSlow(size);
	let filled = 0;
	while (filled < size) {
		const { bytesRead } = await handle.read(bytes, filled, Math.min(PART_BYTES, size - filled), filled);
		signal?.throwIfAborted();
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}

interface Found {
	readonly header: SessionHeader;
	readonly table: EntryTable;
	readonly held: HeldLines;
	/** Lines of the file. */
	readonly count: number;
}

function* holdSteps(bytes: Buffer): Steps<Found | undefined> {
	if (bytes.at(-1) !== NEWLINE || isOfLongLines(bytes)) return undefined;
	const held = new HeldLines(bytes);
	const table = new EntryTable();
	const firstEnd = bytes.indexOf(NEWLINE);
	const header = headerIn(objectIn(bytes, [0, firstEnd]));
	if (header === undefined) return undefined;
	let count = 1;
	for (let start = firstEnd + 1; start < bytes.length; count++) {
		if (count % ENTRIES_PER_STEP === 0) yield;
		const end = bytes.indexOf(NEWLINE, start);
		const entry = heldMessage(held, table, [start, end]) ?? entryIn(objectIn(bytes, [start, end]));
		if (entry === undefined || !table.add(entry)) return undefined;
		start = end + 1;
	}
	return { header, table, held, count };
}

/** Whether most of a file is in lines that are parsed at once: holding its bytes too would take more memory, not less. */
function isOfLongLines(bytes: Buffer): boolean {
	let long = 0;
	for (let start = 0; start < bytes.length; ) {
		const end = bytes.indexOf(NEWLINE, start);
		if (end - start > MAX_HELD_BYTES) long += end - start;
		start = end + 1;
	}
	return long > bytes.length / 2;
}

/** For every line anew. */
const envelope = emptyEnvelope();

/** The message in a line; undefined where it is to be parsed. */
function heldMessage(held: HeldLines, { entries }: EntryTable, line: Span): SessionEntry | undefined {
	const [start, end] = line;
	const { bytes } = held;
	const facts = end - start > MAX_HELD_BYTES ? undefined : sniffMessage(bytes, start, end, envelope);
	if (facts === undefined) return undefined;
	const { idStart, idEnd, parentStart, parentEnd } = envelope;
	const id = bytes.toString("latin1", idStart, idEnd);
	const parentId = parentEnd === 0 ? null : parentIn(bytes, [parentStart, parentEnd], entries.at(-1)?.id ?? "");
	const number = held.add(entries.length, line, envelope, facts);
	// It is one of a `SessionMessageEntry`, except that the type allows for fields of any name.
	return new HeldMessage(id, parentId, held, number) as SessionEntry;
}

/** Mostly the parent is the entry before: then no text is made, and one that is the same object is found sooner. */
function parentIn(bytes: Buffer, [start, end]: Span, before: string): string {
	let at = start;
	while (at < end && bytes[at] === before.charCodeAt(at - start)) at++;
	return at === end && before.length === end - start ? before : bytes.toString("latin1", start, end);
}

/** The object of a line in which nothing is odd. */
function objectIn(bytes: Buffer, [start, end]: Span): RawEntry | undefined {
	const diagnostics = new DiagnosticList();
	const length = end - start;
	const line = length > MAX_LINE_BYTES ? undefined : bytes.subarray(start, end);
	// The number is told nowhere: whatever is odd is reported by the reading that comes instead of this one.
	const value = parseLine({ number: 1, offset: start, bytes: line, length, terminated: true }, diagnostics);
	return diagnostics.toArray().length === 0 ? value : undefined;
}

function headerIn(value: RawEntry | undefined): SessionHeader | undefined {
	if (value?.type !== "session" || value.version !== CURRENT_SESSION_VERSION) return undefined;
	const diagnostics = new DiagnosticList();
	const header = checkedHeader(value, 1, diagnostics);
	return diagnostics.toArray().length === 0 ? header : undefined;
}

function entryIn(value: RawEntry | undefined): SessionEntry | undefined {
	if (value === undefined || value.type === "session" || !hasTextIds(value)) return undefined;
	const { entry, problems } = repairEntry(value);
	return problems.length === 0 ? entry : undefined;
}
