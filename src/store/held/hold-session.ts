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
import { bytesInMemory, bytesOnDisk, type FileBytes } from "./file-bytes.ts";
import { HeldLines } from "./held-lines.ts";
import { HeldMessage } from "./held-message.ts";

/** A smaller session is parsed before anyone notices. In bytes. */
const MIN_BYTES = 1024 * 1024;
/** The file is read in parts of this size. */
const PART_BYTES = 4 * 1024 * 1024;
/** A longer line is parsed at once: there are few, and each look at it would take as long. */
const MAX_HELD_BYTES = 1024 * 1024;
/** The bytes of a larger file are read again when they are looked at. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;
const NEWLINE = 0x0a;
const QUOTE = 0x22;
/** `2026-01-05T08:00:00.000Z` */
const TIME_BYTES = 24;
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
 * messages are recognized by their first and last bytes, and held as bytes; of a very large one (more than `keepBytes`) not
 * even these are kept. Undefined for a small session, and for any in which something is odd that can be seen so: an older
 * version, damage, ids twice or not in order. What cannot be seen so, `checkHeldSteps` finds later. Rejects as
 * `readSession` does.
 */
export async function holdSession(
	path: string,
	options: { signal?: AbortSignal | undefined; minBytes?: number; keepBytes?: number } = {},
): Promise<Session | undefined> {
	const { signal, minBytes = MIN_BYTES, keepBytes = MAX_KEPT_BYTES } = options;
	signal?.throwIfAborted();
	try {
		const { handle, stats } = await openFileAsync(path);
		try {
			if (stats.size < minBytes) return undefined;
			const kept = stats.size <= keepBytes ? Buffer.allocUnsafeSlow(stats.size) : undefined;
			const holding = new Holding(
				kept ? bytesInMemory(kept) : bytesOnDisk(path, stats, stats.size),
				stats.size,
				kept !== undefined,
			);
			const size = await readInParts(handle, { size: stats.size, kept, signal }, holding);
			const { header, table, held, count } = holding;
			if (size === undefined || header === undefined) return undefined;
			const { entries } = table;
			noteTable(entries, table);
			heldLines.set(entries, held);
			const parts = { entries, lines: table.lines(FIRST_ENTRY), tree: table.tree(), size };
			const session = { path, header, version: CURRENT_SESSION_VERSION, ...parts, diagnostics: [] };
			const end = await readEnd(handle, size);
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

interface Reading {
	/** Of the file, in bytes. */
	readonly size: number;
	/** Gets the whole file; undefined where a part of it at a time is enough. */
	readonly kept: Buffer | undefined;
	readonly signal: AbortSignal | undefined;
}

/** Has all lines of a file taken; the number of its bytes, or undefined where it cannot be held. */
async function readInParts(handle: FileHandle, reading: Reading, holding: Holding): Promise<number | undefined> {
	const { size, kept, signal } = reading;
	const slice = new TimeSlice(signal);
	let bytes = kept ?? Buffer.allocUnsafeSlow(Math.min(PART_BYTES, size));
	// Of the file, where `bytes` begins.
	let base = 0;
	let [taken, filled] = [0, 0];
	while (base + filled < size) {
		if (filled === bytes.length) {
			// A line that is longer than a part; much longer ones are not held.
			if (filled > MAX_LINE_BYTES) return undefined;
			bytes = Buffer.concat([bytes], 2 * bytes.length);
		}
		const length = Math.min(PART_BYTES, bytes.length - filled);
		const { bytesRead } = await handle.read(bytes, filled, length, base + filled);
		signal?.throwIfAborted();
		if (bytesRead === 0) break;
		const end = bytes.subarray(0, filled + bytesRead).lastIndexOf(NEWLINE) + 1;
		filled += bytesRead;
		if (end <= taken) continue;
		if (!isUtf8(bytes.subarray(taken, end))) return undefined;
		if (!(await slice.run(holding.take(bytes, [taken, end], base)))) return undefined;
		taken = end;
		if (kept !== undefined) continue;
		bytes.copyWithin(0, taken, filled);
		base += taken;
		filled -= taken;
		taken = 0;
	}
	return taken === filled ? base + filled : undefined;
}

/** Indexes into bytes: of the first one, and after the last one. */
type Span = readonly [start: number, end: number];

/** What is held of a session, from its first line on. */
class Holding {
	readonly table = new EntryTable();
	readonly held: HeldLines;
	readonly #size: number;
	readonly #isKept: boolean;
	header: SessionHeader | undefined;
	/** Lines that were taken. */
	count = 0;
	/** Bytes in lines that are parsed at once. */
	#long = 0;

	/** `size`: of the file, in bytes. `isKept`: whether its bytes are in memory. */
	constructor(bytes: FileBytes, size: number, isKept: boolean) {
		this.held = new HeldLines(bytes);
		this.#size = size;
		this.#isKept = isKept;
	}

	/** Takes the next lines, all of them whole; `base`: of the file, where the bytes begin. False where one is odd. */
	*take(bytes: Buffer, [from, to]: Span, base: number): Steps<boolean> {
		for (let start = from; start < to; this.count++) {
			if (this.count % ENTRIES_PER_STEP === 0) yield;
			const end = bytes.indexOf(NEWLINE, start);
			const line: Span = [start, end];
			start = end + 1;
			if (this.count === 0) {
				this.header = headerIn(objectIn(bytes, line));
				if (this.header === undefined) return false;
				continue;
			}
			if (end - line[0] > MAX_HELD_BYTES) this.#long += end - line[0];
			// Holding the bytes of a file that is mostly parsed at once would take more memory, not less.
			if (this.#long > this.#size / 2) return false;
			const entry = this.#message(bytes, line, base) ?? entryIn(objectIn(bytes, line));
			if (entry === undefined || !this.table.add(entry)) return false;
		}
		return true;
	}

	/** The message in a line; undefined where it is to be parsed. */
	#message(bytes: Buffer, [start, end]: Span, base: number): SessionEntry | undefined {
		const facts = end - start > MAX_HELD_BYTES ? undefined : sniffMessage(bytes, start, end, envelope);
		if (facts === undefined) return undefined;
		const { entries } = this.table;
		const { idStart, idEnd, parentStart, parentEnd, timeStart } = envelope;
		const id = bytes.toString("latin1", idStart, idEnd);
		const parentId = parentEnd === 0 ? null : parentIn(bytes, [parentStart, parentEnd], entries.at(-1)?.id ?? "");
		const timeMs = this.#isKept ? Number.NaN : wholeTime(bytes, timeStart);
		const place = { offset: base + start, length: end - start, timeAt: timeStart - start, timeMs };
		const number = this.held.add(entries.length, place, facts);
		// It is one of a `SessionMessageEntry`, except that the type allows for fields of any name.
		return new HeldMessage(id, parentId, this.held, number) as SessionEntry;
	}
}

/** For every line anew. */
const envelope = emptyEnvelope();

/** The time that begins here, Unix ms; NaN where it is not written as JavaScript writes it. */
function wholeTime(bytes: Buffer, start: number): number {
	const end = start + TIME_BYTES;
	if (bytes[end] !== QUOTE) return Number.NaN;
	const text = bytes.toString("latin1", start, end);
	const timeMs = Date.parse(text);
	return !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === text ? timeMs : Number.NaN;
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
