import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import type { Steps } from "../../shared/steps.ts";
import { type ReadRequest, readSpan } from "../files/open-file.ts";
import { MAX_LINE_BYTES, type RawLine } from "../format/parse.ts";
import { GluedObjects, mayHoldTwo } from "./glued-objects.ts";
import { RepeatedLines } from "./repeated-lines.ts";

/** Files are read in chunks of this size; a longer line is handled without holding more of it than needed. */
export const CHUNK_BYTES = 512 * 1024;
/** Bytes of the beginning of a long line that are passed on if the line is not wanted whole. */
export const HEAD_BYTES = 512;
/** The same for its end. */
export const TAIL_BYTES = 2048;

/**
 * One line of a file: split at `\n`, and where two objects stand on one line, between them (glued-objects.ts). `bytes` is valid
 * only during the call of `onLine`.
 */
export interface FileLine {
	/** Holds the line at `[start, end)`, without `\n`; of a line that is not `whole`, its first and last bytes. */
	readonly bytes: Buffer;
	readonly start: number;
	readonly end: number;
	/** Of the line's first byte in the file. */
	readonly offset: number;
	/** In bytes, without `\n`. */
	readonly length: number;
	/** Offset of what follows it: behind its `\n`, if it has one. */
	readonly next: number;
	/** False if `bytes` has only the head and the tail: the line is too long, or long and not `wanted`. */
	readonly whole: boolean;
	/** False only for a last line without `\n`. */
	readonly terminated: boolean;
	/** Whether the bytes are known to be UTF-8. */
	readonly utf8: boolean;
	/** Whether it stands behind another object, without a `\n` between them. */
	readonly isGlued: boolean;
	/** Whether an earlier line that was read is equal to it, byte for byte, so that both are one entry. */
	readonly isRepeated: boolean;
}

export interface ReadLinesOptions {
	/** The first byte of a line. @default 0 */
	readonly from?: number;
	/** Reading stops here, in the middle of a line if need be. @default the end of the file */
	readonly to?: number;
	/** To read with; shorter than `maxLineBytes`. @default a buffer of CHUNK_BYTES, used again for the next file */
	readonly buffer?: Buffer;
	/** Longer lines are never passed on whole. @default MAX_LINE_BYTES */
	readonly maxLineBytes?: number;
	/** Whether a line longer than the buffer is needed whole, by its first bytes. @default always */
	readonly wanted?: (head: Buffer) => boolean;
	/** Gets the bytes that are read, in order, some of them twice; valid only during the call. Not for `readLinesAsync`. */
	readonly onBytes?: (bytes: Buffer, position: number) => void;
	/** Gets the next line; false makes the reader pause after it, so that its caller can stop or let others work. */
	readonly onLine: (line: FileLine) => boolean;
}

/** Yields what must be read, or undefined to pause; resumed with the number of bytes that were read. */
type LineReader = Generator<ReadRequest | undefined, number, number>;

const NEWLINE = 0x0a;

/**
 * Reads the lines of an open file in order, synchronously; yields after each chunk and at each pause. Memory does not
 * grow with the file, nor with a line that is not wanted. Returns the offset where reading ended.
 */
export function* readLinesSteps(fd: number, options: ReadLinesOptions): Steps<number> {
	const reader = lineReader(options);
	let step = reader.next(0);
	while (!step.done) {
		const request = step.value;
		const length = request ? readSpan(fd, request) : 0;
		if (request && length > 0)
			options.onBytes?.(request.buffer.subarray(request.start, request.start + length), request.position);
		step = reader.next(length);
		if (!step.done) yield;
	}
	return step.value;
}

/** Reads lines until `onLine` returns false. */
export function readLinesUntil(fd: number, options: ReadLinesOptions): void {
	let isOver = false;
	const onLine = (line: FileLine): boolean => {
		isOver = !options.onLine(line);
		return !isOver;
	};
	const steps = readLinesSteps(fd, { ...options, onLine });
	while (!isOver && !steps.next().done);
}

/**
 * The same as `readLinesSteps` for a thread that must not wait for the disk: calls `rest` after each chunk and at each pause, and
 * ends the reading if that resolves to false.
 */
export async function readLinesAsync(
	handle: FileHandle,
	options: ReadLinesOptions,
	rest: () => Promise<unknown>,
): Promise<number | undefined> {
	const reader = lineReader(options);
	let step = reader.next(0);
	while (!step.done) {
		const length = step.value ? await readSpanAsync(handle, step.value) : 0;
		if ((await rest()) === false) return undefined;
		step = reader.next(length);
	}
	return step.value;
}

/** Calls `take` with the line that begins at `offset` and returns its result; undefined at the end of the file. */
export function readLineAt<Result>(
	fd: number,
	offset: number,
	buffer: Buffer,
	take: (line: FileLine) => Result,
): Result | undefined {
	let answer: { readonly result: Result } | undefined;
	const onLine = (line: FileLine) => {
		answer = { result: take(line) };
		return false;
	};
	readLinesUntil(fd, { from: offset, buffer, onLine });
	return answer?.result;
}

/** The line in the form for `parseLine`; `number` is 1-based. */
export function rawLine(line: FileLine, number: number): RawLine {
	const { offset, length, terminated, isGlued, isRepeated } = line;
	const bytes = line.whole ? line.bytes.subarray(line.start, line.end) : undefined;
	const raw = { number, offset, bytes, length, terminated, isGlued, isRepeated };
	return bytes === undefined ? { ...raw, ends: line.bytes } : raw;
}

/** The buffer of a finished reading: for small files, allocating one takes longer than reading them. */
let spare: Buffer | undefined;

function* lineReader(options: ReadLinesOptions): LineReader {
	if (options.buffer !== undefined) return yield* readWith(options.buffer, options);
	const buffer = spare ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
	// A file that is read at the same time needs another buffer.
	spare = undefined;
	try {
		return yield* readWith(buffer, options);
	} finally {
		spare = buffer;
	}
}

function* readWith(buffer: Buffer, options: ReadLinesOptions): LineReader {
	const { to = Number.POSITIVE_INFINITY, onLine } = options;
	const repeats = new RepeatedLines();
	/** Offset in the file of the buffer's first byte. */
	let base = options.from ?? 0;
	let filled = 0;
	for (;;) {
		const end = Math.min(buffer.length, to - base);
		const length = yield { buffer, start: filled, end, position: base + filled };
		const searchFrom = filled;
		filled += length;
		const atEnd = filled < end || base + filled >= to;
		const last = length > 0 ? buffer.lastIndexOf(NEWLINE, filled - 1) : -1;
		if (last >= searchFrom) {
			// One UTF-8 check for the whole chunk: a check for each line costs more.
			yield* emitLines({ ...chunkOf(buffer, last + 1, base), seen: repeats, onLine }, searchFrom);
			buffer.copyWithin(0, last + 1, filled);
			base += last + 1;
			filled -= last + 1;
		}
		if (atEnd) break;
		if (filled === buffer.length) {
			base = yield* readLongLine(buffer, base, to, { ...options, seen: repeats });
			filled = 0;
		}
	}
	if (filled > 0) {
		// The previous line may have requested a pause.
		yield undefined;
		yield* emitLines({ ...chunkOf(buffer, filled, base), seen: repeats, onLine }, filled);
	}
	return base + filled;
}

interface Chunk {
	/** Holds them at `[0, end)`; the last one has a `\n`, unless it is the last one of the file. */
	readonly buffer: Buffer;
	readonly end: number;
	/** Offset in the file of the buffer's first byte. */
	readonly base: number;
	readonly utf8: boolean;
	readonly seen: RepeatedLines;
	readonly onLine: (line: FileLine) => boolean;
}

function chunkOf(buffer: Buffer, end: number, base: number): Pick<Chunk, "buffer" | "end" | "base" | "utf8"> {
	return { buffer, end, base, utf8: isUtf8(buffer.subarray(0, end)) };
}

/** Passes on the lines of a chunk; yields where `onLine` requests a pause. The first `\n` is not before `searchFrom`. */
function* emitLines({ buffer, end, base, utf8, seen, onLine }: Chunk, searchFrom: number): Passing {
	const glued = new GluedObjects(buffer, end);
	let start = 0;
	let search = searchFrom;
	let isGlued = false;
	while (start < end) {
		const newline = search < end ? buffer.indexOf(NEWLINE, search) : -1;
		const terminated = newline !== -1 && newline < end;
		const lineEnd = terminated ? newline : end;
		const stop = glued.endOf(start, lineEnd);
		const next = stop === lineEnd && terminated ? stop + 1 : stop;
		const line: FileLine = {
			bytes: buffer,
			start,
			end: stop,
			offset: base + start,
			length: stop - start,
			next: base + next,
			whole: true,
			terminated,
			utf8,
			isGlued,
			isRepeated: false,
		};
		const isRepeated = !seen.addNew(line) && (yield* seen.has(line, { bytes: buffer, base }));
		isGlued = stop !== lineEnd;
		start = next;
		search = isGlued ? lineEnd : next;
		if (!onLine(isRepeated ? { ...line, isRepeated } : line) && start < end) yield undefined;
	}
}

/** Like a `LineReader`, without a result. */
type Passing = Generator<ReadRequest | undefined, void, number>;

/** Reads a line that is longer than the buffer, which holds its beginning; returns the offset after it. */
function* readLongLine(
	buffer: Buffer,
	offset: number,
	to: number,
	options: ReadLinesOptions & Pick<Chunk, "seen">,
): LineReader {
	const { maxLineBytes = MAX_LINE_BYTES, wanted = () => true, seen, onLine } = options;
	const head = Buffer.from(buffer.subarray(0, HEAD_BYTES));
	let parts: Buffer[] | undefined = wanted(head) ? [Buffer.from(buffer)] : undefined;
	let tail = Buffer.from(buffer.subarray(Math.max(0, buffer.length - TAIL_BYTES)));
	let length = buffer.length;
	let terminated = false;
	let mayBeGlued = mayHoldTwo(buffer);
	while (!terminated) {
		const position = offset + length;
		const read = yield { buffer, start: 0, end: Math.min(buffer.length, to - position), position };
		if (read === 0) break;
		const newline = buffer.subarray(0, read).indexOf(NEWLINE);
		terminated = newline !== -1;
		const part = buffer.subarray(0, terminated ? newline : read);
		length += part.length;
		if (length > maxLineBytes) parts = undefined;
		parts?.push(Buffer.from(part));
		mayBeGlued ||= mayHoldTwo(part) || mayHoldTwo(Buffer.concat([tail.subarray(-2), part.subarray(0, 2)]));
		tail = Buffer.concat([tail, part.subarray(Math.max(0, part.length - TAIL_BYTES))]);
		tail = tail.subarray(Math.max(0, tail.length - TAIL_BYTES));
	}
	const next = offset + length + (terminated ? 1 : 0);
	if (parts === undefined && mayBeGlued && length <= maxLineBytes) {
		// Which objects are on it does not show at its ends.
		const whole = Buffer.allocUnsafe(length);
		parts = [whole.subarray(0, yield { buffer: whole, start: 0, end: length, position: offset })];
	}
	if (parts !== undefined) {
		if (terminated) parts.push(Buffer.of(NEWLINE));
		const bytes = Buffer.concat(parts);
		yield* emitLines({ ...chunkOf(bytes, bytes.length, offset), seen, onLine }, length);
		return next;
	}
	const bytes = Buffer.concat([head, tail]);
	const line = {
		...{ bytes, start: 0, end: bytes.length, offset, length, next },
		...{ whole: false, terminated, utf8: isUtf8(bytes), isGlued: false, isRepeated: false },
	};
	const isRepeated = !seen.addNew(line) && (yield* seen.has(line, { bytes, base: next }));
	// If this requests a pause, it comes with the next read.
	onLine({ ...line, isRepeated });
	return next;
}

async function readSpanAsync(handle: FileHandle, { buffer, start, end, position }: ReadRequest): Promise<number> {
	let at = start;
	while (at < end) {
		const { bytesRead } = await handle.read(buffer, at, end - at, position + at - start);
		if (bytesRead === 0) break;
		at += bytesRead;
	}
	return at - start;
}
