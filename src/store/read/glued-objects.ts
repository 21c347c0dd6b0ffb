/**
 * Two programs that write a session at once may leave two objects on a line: `{…}{…}`. Each is a line of its own to all that
 * read sessions.
 */

/** In a line of JSON this stands outside of a string, where it is wrong, or behind one that ends with a brace. */
const MARK = Buffer.from('}{"');
const NONE = Number.POSITIVE_INFINITY;

/** Whether some bytes of a line suggest that it has two objects. */
export function mayHoldTwo(bytes: Buffer): boolean {
	return bytes.includes(MARK);
}

/** Finds where the objects in a piece of a file end. */
export class GluedObjects {
	readonly #bytes: Buffer;
	readonly #end: number;
	/** The next place where an object may end. */
	#mark = -1;

	/** For the lines in `bytes[0, end)`. */
	constructor(bytes: Buffer, end: number) {
		this.#bytes = bytes;
		this.#end = end;
	}

	/** Where the object ends that begins at `start` of a line that ends at `end`, if another follows it there; else `end`. */
	endOf(start: number, end: number): number {
		if (this.#mark < start) this.#mark = this.#next(start);
		if (this.#mark >= end) return end;
		const objectEnd = endOfObject(this.#bytes, start, end);
		if (objectEnd < end && this.#bytes[objectEnd] === OPEN) return objectEnd;
		this.#mark = this.#next(end);
		return end;
	}

	#next(from: number): number {
		const at = this.#bytes.subarray(0, this.#end).indexOf(MARK, from);
		return at === -1 ? NONE : at;
	}
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** Behind the brace that closes the object at `start`; `end` if none does. */
export function endOfObject(bytes: Buffer, start: number, end: number): number {
	let depth = 0;
	for (let at = start; at < end; at++) {
		const byte = bytes[at];
		if (byte === OPEN) depth += 1;
		else if (byte === CLOSE && --depth === 0) return at + 1;
		else if (byte === QUOTE) {
			at += 1;
			while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
		}
	}
	return end;
}
