import { isUtf8 } from "node:buffer";
import { type FileHandle, stat } from "node:fs/promises";
import { ENTRIES_PER_STEP, type Steps, TimeSlice } from "../../shared/steps.ts";
import { openFileAsync } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import { hasNoGlued } from "../read/glued-objects.ts";
import { readEnd } from "../read/read-lines.ts";
import { readSession, type Session } from "../read/read-session.ts";
import { bytesInMemory, bytesOnDisk } from "./file-bytes.ts";
import { checkHeldSteps } from "./held-message.ts";
import { HeldReading, MAX_HELD_BYTES } from "./held-reading.ts";
import { holdFile, readOddFile } from "./hold-file.ts";

/** Smaller sessions parse too fast to matter. In bytes. */
const MIN_BYTES = 1024 * 1024;
/** The bytes of larger sessions stay in the file. */
const MAX_BUFFERED_BYTES = 256 * 1024 * 1024;
/** Bytes read at a time. */
const PART_BYTES = 4 * 1024 * 1024;
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
			const reading = isUtf8(bytes) ? await new TimeSlice(signal).run(holdSteps(bytes)) : undefined;
			if (reading === undefined) return undefined;
			const { held } = reading;
			if (held.size < bytes.length * LEAST_HELD) held.moveTo(bytesOnDisk(path, stats));
			const { dev, ino } = stats;
			return reading.finish(path, { dev, ino, size: bytes.length, end: await readEnd(handle, bytes.length) });
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

function* holdSteps(bytes: Buffer): Steps<HeldReading | undefined> {
	if (bytes.at(-1) !== NEWLINE || isOfLongLines(bytes) || !hasNoGlued(bytes)) return undefined;
	const reading = new HeldReading(bytesInMemory(bytes), { isOnDisk: false, isChecked: false });
	for (let start = 0; start < bytes.length; ) {
		if (reading.lines % ENTRIES_PER_STEP === 0) yield;
		const end = bytes.indexOf(NEWLINE, start);
		if (!reading.add(bytes, [start, end], start)) return undefined;
		start = end + 1;
	}
	return reading;
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
