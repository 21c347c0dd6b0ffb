import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { MAX_LINE_BYTES } from "../../store/format/lines.ts";
import { HEAD_BYTES, TAIL_BYTES } from "./sniff.ts";

/** Files are read in pieces of this size; a longer line is handled without holding more of it than needed. */
export const CHUNK_BYTES = 512 * 1024;

/** One line of a file. `bytes` is valid only during the call that hands the line over. */
export interface ScannedLine {
	/** Holds the line at `[start, end)`, without `\n`; of a line that is not `whole`, its first and last bytes. */
	readonly bytes: Buffer;
	readonly start: number;
	readonly end: number;
	/** Place of the line's first byte in the file. */
	readonly offset: number;
	/** In bytes, without `\n`. */
	readonly length: number;
	/** False when only the head and the tail are in `bytes`: the line was long and `wanted` declined it, or it is too long. */
	readonly whole: boolean;
	/** False only for a last line without `\n`. */
	readonly terminated: boolean;
	/** Whether the bytes are known to be UTF-8. */
	readonly utf8: boolean;
}

export interface ReadLinesOptions {
	/** Where to begin: the first byte of a line. */
	readonly from: number;
	/** Reading stops here, so that a file that grows meanwhile is still read as of one moment. */
	readonly to: number;
	/** At least HEAD_BYTES + TAIL_BYTES long. @default a buffer of CHUNK_BYTES */
	readonly buffer?: Buffer;
	/** Whether a line longer than the buffer must be had whole, judged by its first bytes. */
	readonly wanted: (head: Buffer) => boolean;
	readonly onLine: (line: ScannedLine) => void;
}

const NEWLINE = 0x0a;

/** Reads the lines of an open file in order, synchronously; memory does not grow with the file, nor with an unwanted line. */
export function readLines(fd: number, options: ReadLinesOptions): void {
	for (const _step of readLinesSteps(fd, options));
}

/** The same in steps: yields after each piece that was read, so that a caller can let other work have its turn. */
export function* readLinesSteps(fd: number, options: ReadLinesOptions): Generator<void, void, undefined> {
	const buffer = options.buffer ?? Buffer.allocUnsafe(CHUNK_BYTES);
	let position = options.from;
	let filled = 0;
	for (;;) {
		const read = readAt(fd, buffer, filled, Math.min(buffer.length, filled + options.to - position), position);
		position += read;
		const atEnd = read === 0 || position >= options.to;
		const last = buffer.lastIndexOf(NEWLINE, filled + read - 1);
		const searchFrom = filled;
		filled += read;
		if (last >= searchFrom && read > 0) {
			emitLines(buffer, last + 1, searchFrom, position - filled, options.onLine);
			buffer.copyWithin(0, last + 1, filled);
			filled -= last + 1;
		}
		if (atEnd) break;
		if (filled === buffer.length) {
			position = yield* readLongLine(fd, buffer, position - filled, options);
			filled = 0;
		}
		yield;
	}
	if (filled > 0) {
		const offset = position - filled;
		const utf8 = isUtf8(buffer.subarray(0, filled));
		options.onLine({
			bytes: buffer,
			start: 0,
			end: filled,
			offset,
			length: filled,
			whole: true,
			terminated: false,
			utf8,
		});
	}
}

/** Hands over the lines of `buffer[0, end)`; the first newline is not before `searchFrom`. */
function emitLines(
	buffer: Buffer,
	end: number,
	searchFrom: number,
	base: number,
	onLine: (line: ScannedLine) => void,
): void {
	// One check for the whole piece: asking for each line costs more than the check itself.
	const utf8 = isUtf8(buffer.subarray(0, end));
	let start = 0;
	let from = searchFrom;
	while (start < end) {
		const stop = buffer.indexOf(NEWLINE, from);
		const length = stop - start;
		onLine({ bytes: buffer, start, end: stop, offset: base + start, length, whole: true, terminated: true, utf8 });
		start = stop + 1;
		from = start;
	}
}

/** Reads a line that is longer than the buffer, which holds its beginning; returns the place after it. */
function* readLongLine(
	fd: number,
	buffer: Buffer,
	offset: number,
	options: ReadLinesOptions,
): Generator<void, number, undefined> {
	const head = Buffer.from(buffer.subarray(0, HEAD_BYTES));
	let kept: Buffer[] | undefined = options.wanted(head) ? [Buffer.from(buffer)] : undefined;
	let tail = Buffer.from(buffer.subarray(buffer.length - TAIL_BYTES));
	let length = buffer.length;
	let terminated = false;
	while (!terminated) {
		const position = offset + length;
		const read = readAt(fd, buffer, 0, Math.min(buffer.length, options.to - position), position);
		if (read === 0) break;
		const newline = buffer.subarray(0, read).indexOf(NEWLINE);
		terminated = newline !== -1;
		const part = buffer.subarray(0, terminated ? newline : read);
		length += part.length;
		if (length > MAX_LINE_BYTES) kept = undefined;
		kept?.push(Buffer.from(part));
		tail = Buffer.concat([tail, part.subarray(Math.max(0, part.length - TAIL_BYTES))]);
		tail = tail.subarray(Math.max(0, tail.length - TAIL_BYTES));
		yield;
	}
	const bytes = kept ? Buffer.concat(kept, length) : Buffer.concat([head, tail]);
	const utf8 = isUtf8(bytes);
	options.onLine({ bytes, start: 0, end: bytes.length, offset, length, whole: kept !== undefined, terminated, utf8 });
	return offset + length + (terminated ? 1 : 0);
}

/** Fills `buffer[start, end)` from the file as far as it goes; returns how many bytes there were. */
function readAt(fd: number, buffer: Buffer, start: number, end: number, position: number): number {
	let at = start;
	while (at < end) {
		const read = readSync(fd, buffer, at, end - at, position + at - start);
		if (read === 0) break;
		at += read;
	}
	return at - start;
}
