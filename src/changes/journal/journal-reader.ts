import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { errorCode } from "../../store/files/store-error.ts";
import { readBytes } from "../../store/read/line-reader.ts";

const NEWLINE = 0x0a;
/** Bytes by which a file is known again: the end of what was read of it, which has an id of a change that no other one has. */
const ANCHOR_BYTES = 256;
const NEVER_WAIT = constants.O_NONBLOCK ?? 0;

/** What was added to a journal since the last reading; `isAnew`: it is another file now, and what was read of it is void. */
interface Added {
	readonly lines: readonly string[];
	readonly isAnew: boolean;
}

/**
 * Reads the lines of a journal in pieces, from its end backwards, and what is added to it meanwhile. Each call opens the file
 * and closes it again; a line that is not whole yet is left for the next one. All throw what the file system says.
 */
export class JournalReader {
	readonly #path: string;
	#ino: number | undefined;
	/** The part of the file that has been read: whole lines. */
	#from = 0;
	#to = 0;
	/** What stands before `#to`: where a file was cut twice, the new one may have the inode of the first. */
	#anchor = Buffer.alloc(0);

	constructor(path: string) {
		this.#path = path;
	}

	/** Whether all lines before those that were added later have been read. */
	get isAtStart(): boolean {
		return this.#from === 0;
	}

	/** Lines that were added since the last call, oldest first; none at the first one, which only notes where the end is. */
	added(): Added {
		return this.#opened({ lines: [], isAnew: false }, (fd, size, ino) => {
			if (!this.#isSame(fd, size, ino)) {
				const isAnew = this.#ino !== undefined;
				this.#ino = ino;
				this.#from = endOfLines(fd, size);
				this.#endAt(fd, this.#from);
				return { lines: [], isAnew };
			}
			const end = endOfLines(fd, size, this.#to);
			const bytes = readBytes(fd, this.#to, end - this.#to);
			this.#endAt(fd, end);
			return { lines: linesOf(bytes), isAnew: false };
		});
	}

	/** About so many bytes of lines before those that were read, newest first; none at the start. */
	before(length: number): readonly string[] {
		return this.#opened([], (fd, size, ino) => {
			// What is another file now is begun anew by the next `added`.
			if (!this.#isSame(fd, size, ino)) return [];
			let from = this.#from;
			for (let wanted = length; from > 0; wanted *= 2) {
				from = Math.max(0, this.#from - wanted);
				const bytes = readBytes(fd, from, this.#from - from);
				const newline = from === 0 ? -1 : bytes.indexOf(NEWLINE);
				// A line that is longer than the piece: a longer piece holds it.
				if (from > 0 && (newline === -1 || newline === bytes.length - 1)) continue;
				const start = newline + 1;
				this.#from = from + start;
				return linesOf(bytes.subarray(start)).reverse();
			}
			return [];
		});
	}

	/** Whether this is the file that was read, with nothing but more behind it. */
	#isSame(fd: number, size: number, ino: number): boolean {
		if (this.#ino !== ino || size < this.#to) return false;
		const { length } = this.#anchor;
		return readBytes(fd, this.#to - length, length).equals(this.#anchor);
	}

	#endAt(fd: number, end: number): void {
		const length = Math.min(ANCHOR_BYTES, end);
		this.#to = end;
		this.#anchor = Buffer.from(readBytes(fd, end - length, length));
	}

	#opened<Result>(missing: Result, read: (fd: number, size: number, ino: number) => Result): Result {
		let fd: number;
		try {
			fd = openSync(this.#path, constants.O_RDONLY | NEVER_WAIT);
		} catch (error) {
			if (errorCode(error) === "ENOENT") return missing;
			throw error;
		}
		try {
			const stats = fstatSync(fd);
			if (!stats.isFile()) throw new Error("it is not a regular file; move it away");
			return read(fd, stats.size, stats.ino);
		} finally {
			closeSync(fd);
		}
	}
}

/** Where the last whole line ends, at `least` or after it. */
function endOfLines(fd: number, size: number, least = 0): number {
	for (let end = size, length = 4096; end > least; end -= length) {
		const from = Math.max(least, end - length);
		const newline = readBytes(fd, from, end - from).lastIndexOf(NEWLINE);
		if (newline !== -1) return from + newline + 1;
	}
	return least;
}

function linesOf(bytes: Buffer): string[] {
	const lines = bytes.toString("utf8").split("\n");
	lines.pop();
	return lines;
}
