import { closeSync, openSync } from "node:fs";
import { regular } from "../../store/files/append-line.ts";
import { READ_FLAGS } from "../../store/files/file-system.ts";
import { readBytes } from "../../store/files/open-file.ts";
import { errorCode } from "../../store/files/store-error.ts";

const NEWLINE = 0x0a;
/** The file is recognized by this many bytes at the end of what was read: they hold the unique id of a change. */
const ANCHOR_BYTES = 256;

/** Lines appended since the last call; `isReplaced`: it is another file now, and what was read so far no longer counts. */
interface AddedLines {
	readonly lines: readonly string[];
	readonly isReplaced: boolean;
}

/**
 * Reads the lines of a journal piece by piece, from its end backwards, and what is appended meanwhile. Each call opens the
 * file and closes it again; an incomplete line is left for the next call. All methods throw the errors of the file system.
 */
export class JournalReader {
	readonly #path: string;
	#ino: number | undefined;
	/** The part of the file that has been read: whole lines. */
	#from = 0;
	#to = 0;
	/** The bytes before `#to`: a new file in its place may have its inode. */
	#anchor = Buffer.alloc(0);

	constructor(path: string) {
		this.#path = path;
	}

	/** Whether everything back to the start of the file has been read. */
	get isAtStart(): boolean {
		return this.#from === 0;
	}

	/** Lines appended since the last call, oldest first. The first call only remembers where the end is. */
	added(): AddedLines {
		return this.#opened({ lines: [], isReplaced: false }, (fd, size, ino) => {
			if (!this.#isSame(fd, size, ino)) {
				const isReplaced = this.#ino !== undefined;
				this.#ino = ino;
				this.#from = endOfLines(fd, size);
				this.#endAt(fd, this.#from);
				return { lines: [], isReplaced };
			}
			const end = endOfLines(fd, size, this.#to);
			const bytes = readBytes(fd, this.#to, end - this.#to);
			this.#endAt(fd, end);
			return { lines: linesOf(bytes), isReplaced: false };
		});
	}

	/** The lines before those that were read, about `length` bytes of them, newest first; none at the start. */
	before(length: number): readonly string[] {
		return this.#opened([], (fd, size, ino) => {
			// If it is another file now, the next `added` starts over.
			if (!this.#isSame(fd, size, ino)) return [];
			let from = this.#from;
			for (let pieceBytes = length; from > 0; pieceBytes *= 2) {
				from = Math.max(0, this.#from - pieceBytes);
				const bytes = readBytes(fd, from, this.#from - from);
				const newline = from === 0 ? -1 : bytes.indexOf(NEWLINE);
				// The line is longer than this piece: try a longer one.
				if (from > 0 && (newline === -1 || newline === bytes.length - 1)) continue;
				const start = newline + 1;
				this.#from = from + start;
				return linesOf(bytes.subarray(start)).reverse();
			}
			return [];
		});
	}

	/** Whether this is the file that was read, and has only grown. */
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
			fd = openSync(this.#path, READ_FLAGS);
		} catch (error) {
			if (errorCode(error) === "ENOENT") return missing;
			throw error;
		}
		try {
			const { size, ino } = regular(fd);
			return read(fd, size, ino);
		} finally {
			closeSync(fd);
		}
	}
}

/** Offset of the end of the last complete line, at least `least`. */
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
