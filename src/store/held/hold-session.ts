import { isUtf8 } from "node:buffer";
import { type FileHandle, stat } from "node:fs/promises";
import { ENTRIES_PER_STEP, type Steps, TimeSlice } from "../../shared/steps.ts";
import { openFileAsync } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import type { SessionEntry, SessionHeader } from "../format/schema.ts";
import { hasNoGlued } from "../read/glued-objects.ts";
import { readEnd } from "../read/read-lines.ts";
import { readSession, type Session } from "../read/read-session.ts";
import { EntryTable } from "../tree/entry-table.ts";
import { bytesInMemory, bytesOnDisk } from "./file-bytes.ts";
import { HeldLines } from "./held-lines.ts";
import { checkHeldSteps, heldSession } from "./held-message.ts";
import { entryIn, headerIn, heldMessage, holdFile, objectIn, readOddFile } from "./hold-file.ts";

/** Smaller sessions parse too fast to matter. In bytes. */
const MIN_BYTES = 1024 * 1024;
/** The bytes of larger sessions stay in the file. */
const MAX_BUFFERED_BYTES = 256 * 1024 * 1024;
/** Bytes read at a time. */
const PART_BYTES = 4 * 1024 * 1024;
/** A longer line is parsed at once: there are few, and parsing it on each access would take as long. */
const MAX_HELD_BYTES = 1024 * 1024;
/** If held lines make up a smaller fraction of the bytes, the buffer is dropped and they are read from the file on access. */
const LEAST_HELD = 1 / 8;
const NEWLINE = 0x0a;

interface HoldOptions {
	readonly signal?: AbortSignal | undefined;
	/** Smaller sessions are not held. @default MIN_BYTES */
	readonly minBytes?: number;
	/** The bytes of larger sessions stay in the file. @default MAX_BUFFERED_BYTES */
	readonly maxBytes?: number;
}

/**
 * Reads a large session several times faster than `readSession`, in a fraction of the memory: most messages are recognized by
 * their first and last bytes, and held as bytes. Undefined for a small session, and for one in which something visibly odd was
 * found: an older version, damage, ids twice or out of order. `checkHeldSteps` later finds what this cannot see. Rejects as
 * `readSession` does.
 */
export async function holdSession(path: string, options: HoldOptions = {}): Promise<Session | undefined> {
	const { signal, minBytes = MIN_BYTES, maxBytes = MAX_BUFFERED_BYTES } = options;
	signal?.throwIfAborted();
	try {
		const { handle, stats } = await openFileAsync(path);
		try {
			if (stats.size < minBytes) return undefined;
			if (stats.size > maxBytes) return await holdFile(path, { signal, isChecked: false });
			const bytes = await readAll(handle, stats.size, signal);
			const found = isUtf8(bytes) ? await new TimeSlice(signal).run(holdSteps(bytes)) : undefined;
			if (found === undefined) return undefined;
			const { header, table, held, count } = found;
			if (held.size < bytes.length * LEAST_HELD) held.moveTo(bytesOnDisk(path, stats));
			const { dev, ino } = stats;
			const read = { dev, ino, lines: count, size: bytes.length, end: await readEnd(handle, bytes.length) };
			return heldSession(path, header, table, held, read, false);
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
	if (bytes.at(-1) !== NEWLINE || isOfLongLines(bytes) || !hasNoGlued(bytes)) return undefined;
	const held = new HeldLines(bytesInMemory(bytes));
	const table = new EntryTable();
	const firstEnd = bytes.indexOf(NEWLINE);
	const header = headerIn(objectIn(bytes, [0, firstEnd]));
	if (header === undefined) return undefined;
	let count = 1;
	for (let start = firstEnd + 1; start < bytes.length; ) {
		count += 1;
		if (count % ENTRIES_PER_STEP === 0) yield;
		const end = bytes.indexOf(NEWLINE, start);
		const { entries } = table;
		const place = { offset: start, index: entries.length, before: entries.at(-1)?.id ?? "", keepsTime: false };
		const message = end - start > MAX_HELD_BYTES ? undefined : heldMessage(held, bytes, [start, end], place);
		// It has the fields of a `SessionMessageEntry`; only the type, which allows any further field, differs.
		const entry = (message as SessionEntry | undefined) ?? entryIn(objectIn(bytes, [start, end]));
		if (entry === undefined || !table.add(entry, count)) return undefined;
		start = end + 1;
	}
	return { header, table, held, count };
}

/** Whether most bytes are in lines that are parsed at once: holding them too would take more memory, not less. */
function isOfLongLines(bytes: Buffer): boolean {
	let long = 0;
	for (let start = 0; start < bytes.length; ) {
		const end = bytes.indexOf(NEWLINE, start);
		if (end - start > MAX_HELD_BYTES) long += end - start;
		start = end + 1;
	}
	return long > bytes.length / 2;
}

/**
 * Reads a whole session with every line checked, like `readSession`. A large one takes little more memory than its file has
 * bytes; above `maxBytes`, memory grows only with the number of entries. Rejects as `readSession` does.
 */
export async function readChecked(path: string, options: HoldOptions = {}): Promise<Session> {
	const { signal, maxBytes = MAX_BUFFERED_BYTES } = options;
	if ((await sizeOf(path)) > maxBytes)
		return (await holdFile(path, { signal, isChecked: true })) ?? readOddFile(path, signal);
	const held = await holdSession(path, options);
	const isSound = held !== undefined && (await new TimeSlice(signal).run(checkHeldSteps(held)));
	return isSound ? held : readSession(path, signal && { signal });
}

/** `readChecked` for a session that cannot be held as a whole, because something in it is odd. */
export async function readOdd(path: string, options: HoldOptions = {}): Promise<Session> {
	const { signal, maxBytes = MAX_BUFFERED_BYTES } = options;
	return (await sizeOf(path)) > maxBytes ? readOddFile(path, signal) : readSession(path, signal && { signal });
}

/** Reads a session for its ids and structure: unlike `readChecked`, long lines are not parsed. */
export async function readHeld(path: string, options: HoldOptions = {}): Promise<Session> {
	return (await holdSession(path, options)) ?? readOdd(path, options);
}

async function sizeOf(path: string): Promise<number> {
	try {
		return (await stat(path)).size;
	} catch (error) {
		throw storeError(path, "read the session", error);
	}
}
