import { closeSync, readSync } from "node:fs";
import { RecentlyUsed } from "../../shared/recently-used.ts";
import { openFile } from "../files/open-file.ts";

/** The bytes of a file: in memory, or read again when they are looked at. */
export interface FileBytes {
	/** Those from `start` to before `end`; none where they cannot be read any more. */
	read(start: number, end: number): Buffer;
}

/** Bytes that are in memory. */
export function bytesInMemory(bytes: Buffer): FileBytes {
	return { read: (start, end) => bytes.subarray(start, end) };
}

/** What is read at once: entries are mostly looked at one after the other. */
const BLOCK_BYTES = 1024 * 1024;
/** Blocks that stay in memory. */
const MAX_BLOCKS = 8;
const NO_BYTES = Buffer.alloc(0);

/**
 * The bytes of a file that is too large to be kept. It is opened for every block: held open, it would look as if it were in
 * use. Where another file has taken its place, there are no bytes: the list then has that one read. Throws what opening the
 * file throws.
 */
export function bytesOnDisk(path: string): FileBytes {
	const { dev, ino } = identityOf(path);
	const blocks = new RecentlyUsed<number, Buffer>(MAX_BLOCKS);
	const readAt = (start: number, size: number): Buffer => {
		try {
			const { fd, stats } = openFile(path);
			try {
				if (stats.dev !== dev || stats.ino !== ino) return NO_BYTES;
				const bytes = Buffer.allocUnsafeSlow(size);
				let filled = 0;
				for (let read = -1; read !== 0 && filled < size; filled += read)
					read = readSync(fd, bytes, filled, size - filled, start + filled);
				return bytes.subarray(0, filled);
			} finally {
				closeSync(fd);
			}
		} catch {
			// Reading the session anew says why.
			return NO_BYTES;
		}
	};
	return {
		read(start, end) {
			const number = Math.floor(start / BLOCK_BYTES);
			const from = number * BLOCK_BYTES;
			if (end > from + BLOCK_BYTES) return readAt(start, end - start);
			const block = blocks.get(number, () => readAt(from, BLOCK_BYTES));
			// Another try, the next time.
			if (block === NO_BYTES) blocks.forget(number);
			return block.subarray(start - from, end - from);
		},
	};
}

/** The file that was read, however it is called now. */
function identityOf(path: string): { readonly dev: number; readonly ino: number } {
	const { fd, stats } = openFile(path);
	closeSync(fd);
	return stats;
}
