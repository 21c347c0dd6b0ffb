import { attempt } from "../../shared/attempt.ts";
import type { FileStamp } from "../files/file-system.ts";
import { readSpan, withFile } from "../files/open-file.ts";

/** The bytes of a file, read again on access. */
export interface FileBytes {
	/** The bytes `[start, end)`, valid until the next call; empty if they can no longer be read. */
	read(start: number, end: number): Buffer;
	/** The same, valid for good. */
	keep(start: number, end: number): Buffer;
}

/** Size of a block: entries are mostly read one after the other. */
const BLOCK_BYTES = 1024 * 1024;
/** Number of blocks that stay in memory. */
const MAX_BLOCKS = 8;

/**
 * The bytes of a file, of which only a few blocks are in memory. The file is opened for every block: held open, it would look as
 * if it were in use. If another file has taken its place, there are no bytes; the list then has that one read. Buffers are
 * reused for later blocks, because garbage of whole files would be collected late.
 * Throws a `StoreError` if the file cannot be opened.
 */
export function bytesOnDisk(path: string): FileBytes {
	const { dev, ino } = withFile(path, (_, stats) => stats);
	/** In order of use, the most recent one last. */
	const blocks = new Map<number, FileBlock>();
	const fill = (bytes: Buffer, start: number): number => {
		const read = (fd: number, stats: FileStamp): number => {
			if (stats.dev !== dev || stats.ino !== ino) return 0;
			return readSpan(fd, { buffer: bytes, start: 0, end: bytes.length, position: start });
		};
		// If it fails, reading the session again reports the reason.
		return attempt(() => withFile(path, read)) ?? 0;
	};
	const readBlock = (number: number): FileBlock => {
		const bytes = bufferOf(blocks);
		return { bytes, filled: fill(bytes, number * BLOCK_BYTES) };
	};
	const blockAt = (number: number): FileBlock => {
		const block = blocks.get(number) ?? readBlock(number);
		blocks.delete(number);
		// A block that could not be read is tried again the next time.
		if (block.filled > 0) blocks.set(number, block);
		return block;
	};
	const keep = (start: number, end: number): Buffer => {
		const bytes = Buffer.allocUnsafeSlow(end - start);
		return bytes.subarray(0, fill(bytes, start));
	};
	return {
		keep,
		read(start, end) {
			const number = Math.floor(start / BLOCK_BYTES);
			const from = number * BLOCK_BYTES;
			if (end > from + BLOCK_BYTES) return keep(start, end);
			const { bytes, filled } = blockAt(number);
			return bytes.subarray(Math.min(start - from, filled), Math.min(end - from, filled));
		},
	};
}

interface FileBlock {
	readonly bytes: Buffer;
	readonly filled: number;
}

/** The buffer of the least recently used block, or a new one. */
function bufferOf(blocks: Map<number, FileBlock>): Buffer {
	const [oldest] = blocks.size < MAX_BLOCKS ? [] : blocks;
	if (oldest === undefined) return Buffer.allocUnsafeSlow(BLOCK_BYTES);
	blocks.delete(oldest[0]);
	return oldest[1].bytes;
}
