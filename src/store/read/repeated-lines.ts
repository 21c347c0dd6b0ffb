import type { ReadRequest } from "../files/open-file.ts";
import type { FileLine } from "./line-reader.ts";

/** Where two places of a file are compared, what must be read for it; resumed with the number of bytes that were read. */
type LineComparison = Generator<ReadRequest, boolean, number>;

/** What is in memory of a file that is read: `bytes[0, …)` begins at `base` in the file. */
interface Window {
	readonly bytes: Buffer;
	readonly base: number;
}

/** Bytes of the beginning and of the end of a line that find lines which may be equal: they have its id and its times. */
const HEAD = 48;
const TAIL = 12;
/** The first bytes are those of nearly all lines: `{"type":"message","`. */
const SKIPPED = 20;
/** Lines that look alike without being equal are compared with this many earlier ones at most. */
const MOST_COMPARED = 8;
const COMPARED_BYTES = 64 * 1024;
const BRACE = 0x7b;

/**
 * The lines of a file so far, to find those that were written again, byte for byte: by two programs at once, or by one that
 * saved everything twice. Whether two lines are equal is looked up in the file: a million lines take 30 MB.
 */
export class RepeatedLines {
	/** The offsets of the lines by their hashes; nearly every line has one of its own. */
	readonly #offsets = new Map<number, number | readonly number[]>();

	/** Whether an earlier line is equal to this one; otherwise it is remembered. Only lines that may be entries are. */
	*has(line: FileLine, window: Window): LineComparison {
		if (this.addNew(line)) return false;
		const key = keyOf(line);
		const earlier = [this.#offsets.get(key) ?? []].flat();
		for (const offset of earlier) if (yield* isSame(offset, line, window)) return true;
		if (earlier.length < MOST_COMPARED) this.#offsets.set(key, [...earlier, line.offset]);
		return false;
	}

	/** The same for a line that is unlike all others, as nearly all are: false if it may not be. */
	addNew(line: FileLine): boolean {
		if (line.bytes[line.start] !== BRACE) return true;
		const key = keyOf(line);
		if (this.#offsets.has(key)) return false;
		this.#offsets.set(key, line.offset);
		return true;
	}
}

/** A hash of a line's length and ends. */
function keyOf({ bytes, start, end, length }: FileLine): number {
	const headEnd = Math.min(end, start + HEAD);
	const head = hashOf(bytes, Math.min(headEnd, start + SKIPPED), headEnd, length);
	return hashOf(bytes, Math.max(headEnd, end - TAIL), end, head) | 0;
}

function hashOf(bytes: Buffer, from: number, to: number, first: number): number {
	let hash = first;
	for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
	return hash;
}

/** Whether the bytes at `earlier`, and no more than them up to a line end or another object, are those of the line. */
function* isSame(earlier: number, line: FileLine, { bytes, base }: Window): LineComparison {
	const { offset, length, whole } = line;
	if (whole && earlier >= base) {
		const from = earlier - base;
		return bytes.compare(line.bytes, line.start, line.end, from, from + length) === 0;
	}
	const earlierBytes = Buffer.allocUnsafe(Math.min(length, COMPARED_BYTES));
	const lineBytes = whole ? undefined : Buffer.allocUnsafe(earlierBytes.length);
	for (let at = 0; at < length; at += earlierBytes.length) {
		const part = Math.min(earlierBytes.length, length - at);
		const read = yield { buffer: earlierBytes, start: 0, end: part, position: earlier + at };
		const there = lineBytes ? yield { buffer: lineBytes, start: 0, end: part, position: offset + at } : part;
		if (read < part || there < part) return false;
		const from = lineBytes ? 0 : line.start + at;
		if ((lineBytes ?? line.bytes).compare(earlierBytes, 0, part, from, from + part) !== 0) return false;
	}
	return true;
}
