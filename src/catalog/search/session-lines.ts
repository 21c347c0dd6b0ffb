import { closeSync, readSync } from "node:fs";
import { openFile } from "../../store/files/open-file.ts";
import { MAX_LINE_BYTES } from "../../store/format/lines.ts";
import { isObject, type RawEntry } from "../../store/format/parse.ts";

/** Enough for most lines. */
const FIRST_BYTES = 32 * 1024;
const NEWLINE = 0x0a;
let buffer = Buffer.allocUnsafe(FIRST_BYTES);

/** Reads some of a session file's lines by their places. What cannot be read or parsed is not there. */
export class SessionLines {
	readonly #fd: number | undefined;
	#title: number | undefined;

	constructor(path: string) {
		this.#fd = open(path);
	}

	/** The entry on the line that begins at `offset`. */
	entryAt(offset: number): RawEntry | undefined {
		const text = this.#textAt(offset);
		if (text === undefined) return undefined;
		try {
			const value: unknown = JSON.parse(offset === 0 ? text.replace(/^\uFEFF/, "") : text);
			return isObject(value) ? value : undefined;
		} catch {
			// A damaged line has no text; the list says that the session is damaged.
			return undefined;
		}
	}

	/** Whether the first user message that says anything, the session's title, is on the line at `offset`. */
	isTitle(offset: number, says: (entry: RawEntry) => boolean): boolean {
		if (this.#title === undefined) {
			let at = 0;
			for (; at <= offset; at = this.#after(at)) {
				const entry = this.entryAt(at);
				if (entry && says(entry)) break;
			}
			if (at > offset) return false;
			this.#title = at;
		}
		return this.#title === offset;
	}

	close(): void {
		if (this.#fd !== undefined) closeSync(this.#fd);
	}

	#textAt(offset: number): string | undefined {
		const end = this.#fill(offset);
		if (end === undefined) return undefined;
		const text = buffer.toString("utf8", 0, end);
		// Of a line of megabytes nothing is kept.
		if (buffer.length > 64 * FIRST_BYTES) buffer = Buffer.allocUnsafe(FIRST_BYTES);
		return text;
	}

	#after(offset: number): number {
		const end = this.#fill(offset);
		return end === undefined ? Number.POSITIVE_INFINITY : offset + end + 1;
	}

	/** Reads the line into the buffer; returns its length, undefined where there is none or it is too long. */
	#fill(offset: number): number | undefined {
		let length = 0;
		for (;;) {
			const read = this.#read(length, offset);
			const newline = buffer.subarray(length, length + read).indexOf(NEWLINE);
			length += newline === -1 ? read : newline;
			if (length > MAX_LINE_BYTES) return undefined;
			if (newline !== -1) return length;
			if (read === 0) return length === 0 ? undefined : length;
			if (length === buffer.length) {
				const larger = Buffer.allocUnsafe(buffer.length * 4);
				buffer.copy(larger);
				buffer = larger;
			}
		}
	}

	#read(at: number, offset: number): number {
		if (this.#fd === undefined) return 0;
		try {
			return readSync(this.#fd, buffer, at, buffer.length - at, offset + at);
		} catch {
			// The disk fails, or the file was on one that is gone: what cannot be read cannot be found.
			return 0;
		}
	}
}

function open(path: string): number | undefined {
	try {
		return openFile(path).fd;
	} catch {
		// Deleted between the listing and the search.
		return undefined;
	}
}
