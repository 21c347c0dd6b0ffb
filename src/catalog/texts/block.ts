import { type InputType, constants as zlib, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { Tier } from "../query/kinds.ts";

/**
 * Text is stored in pieces of about this size, in bytes. Tier 1 is searched with every key, mostly only as far as its
 * first match, so its pieces are small; tier 2 is packed, which does better with larger ones.
 */
export const BLOCK_BYTES: Readonly<Record<Tier, number>> = { 0: 16 * 1024, 1: 16 * 1024, 2: 128 * 1024 };

/** Searchable text of some lines of a session, folded, as UTF-8, each segment followed by a NUL byte. */
export interface Block {
	readonly text: Buffer;
	/** For each segment: the line (1-based), kind and tool (`kind | tool << 5`), the place of its first byte in `text`. */
	readonly segments: Uint32Array;
}

/** More than a usual block takes: a block exceeds its size by up to one segment. */
const UNPACK_BYTES = 256 * 1024;

/** Numbers in `segments` for each segment. */
export const SEGMENT_FIELDS = 3;

/** As it is stored: tier 2 is large and seldom read, so it is packed; tier 1 is searched with every keystroke. */
export interface StoredBlock {
	readonly text: Uint8Array;
	readonly segments: Uint8Array;
}

export function packBlock(tier: Tier, block: Block): StoredBlock {
	const segments = bytesOf(block.segments);
	if (tier !== 2) return { text: block.text, segments };
	return { text: pack(block.text), segments: pack(segments) };
}

/** The text of a stored block. */
export function unpackText(tier: Tier, stored: Uint8Array): Buffer {
	// With room for nearly every block, so that the result is not put together from pieces.
	if (tier === 2) return zstdDecompressSync(stored, { chunkSize: UNPACK_BYTES });
	return Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
}

/** The segments of a stored block. */
export function unpackSegments(tier: Tier, stored: Uint8Array): Uint32Array {
	// A copy, because the numbers of a view must lie at a multiple of four.
	const bytes = Uint8Array.from(tier === 2 ? zstdDecompressSync(stored) : stored);
	return new Uint32Array(bytes.buffer, 0, bytes.byteLength / 4);
}

function pack(bytes: InputType): Buffer {
	return zstdCompressSync(bytes, { params: { [zlib.ZSTD_c_compressionLevel]: 1 } });
}

function bytesOf(numbers: Uint32Array): Uint8Array {
	return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
