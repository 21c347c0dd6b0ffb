/** One line of a file as bytes, without its `\n`. */
export interface RawLine {
	/** 1-based. */
	readonly number: number;
	/** Where the line begins in the file, in bytes. */
	readonly offset: number;
	/** Valid until the next chunk is pushed; undefined when the line is longer than the limit. */
	readonly bytes: Buffer | undefined;
	/** In bytes; known even when `bytes` is undefined. */
	readonly length: number;
	/** False only for a last line without `\n`. */
	readonly terminated: boolean;
}

/** Longer lines are not parsed: `JSON.parse` of one would block the screen for seconds. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Splits a stream of chunks at `\n` and nowhere else: U+2028, U+2029, `\r` and NUL are text. */
export class LineSplitter {
	readonly #limit: number;
	#pending: Buffer[] = [];
	#pendingLength = 0;
	#number = 0;
	#offset = 0;

	constructor(limit = MAX_LINE_BYTES) {
		this.#limit = limit;
	}

	/** The lines that end in this chunk. The chunk may be reused by the caller afterwards. */
	*push(chunk: Buffer): Generator<RawLine, void, undefined> {
		let start = 0;
		for (;;) {
			const end = chunk.indexOf(NEWLINE, start);
			if (end === -1) break;
			yield this.#line(chunk.subarray(start, end), true);
			start = end + 1;
		}
		this.#hold(chunk.subarray(start));
	}

	/** The last line, when the file does not end in `\n`. */
	end(): RawLine | undefined {
		return this.#pendingLength > 0 ? this.#line(Buffer.alloc(0), false) : undefined;
	}

	#line(tail: Buffer, terminated: boolean): RawLine {
		const length = this.#pendingLength + tail.length;
		let bytes: Buffer | undefined;
		if (length <= this.#limit)
			bytes = this.#pending.length === 0 ? tail : Buffer.concat([...this.#pending, tail], length);
		this.#pending = [];
		this.#pendingLength = 0;
		this.#number += 1;
		const offset = this.#offset;
		this.#offset += length + 1;
		return { number: this.#number, offset, bytes, length, terminated };
	}

	#hold(rest: Buffer): void {
		if (rest.length === 0) return;
		this.#pendingLength += rest.length;
		if (this.#pendingLength > this.#limit) this.#pending = [];
		else this.#pending.push(Buffer.from(rest));
	}
}
