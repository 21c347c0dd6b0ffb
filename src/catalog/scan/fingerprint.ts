import { hash } from "node:crypto";
import { readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { readBytes } from "../../store/files/open-file.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";

const HEAD_BYTES = 1024;
const TAIL_BYTES = 4096;

/** The checksum of the first bytes of a file; it can be continued. */
export interface Checksum {
	/** Number of bytes that it covers. */
	readonly bytes: number;
	/** CRC-32 of these bytes. */
	readonly crc: number;
}

/** The checksum before the first byte. */
export const NO_BYTES: Checksum = { bytes: 0, crc: 0 };

/**
 * The fingerprint of the first bytes of an open file, to distinguish a file that has grown from one that was changed in
 * any other way: a checksum of all of them, and a hash of their ends. "" if the file is shorter; that matches no file.
 */
export function fingerprintOf(fd: number, { bytes, crc }: Checksum): string {
	const ends = endsHash(fd, bytes);
	return ends === "" ? "" : `${bytes}:${crc}:${ends}`;
}

/**
 * The checksum in a fingerprint, if the open file of this size still begins with these bytes; else undefined. `hasty`
 * compares only their ends, so that the cost does not depend on the size of the file.
 */
export function verify(
	fd: number,
	size: number,
	fingerprint: string,
	{ hasty = false, buffer }: { readonly hasty?: boolean | undefined; readonly buffer?: Buffer | undefined } = {},
): Checksum | undefined {
	const [bytes, crc] = fingerprint.split(":").map(Number);
	if (bytes === undefined || crc === undefined || !(bytes <= size)) return undefined;
	if (fingerprintOf(fd, { bytes, crc }) !== fingerprint) return undefined;
	if (!hasty && checksumOf(fd, bytes, buffer) !== crc) return undefined;
	return { bytes, crc };
}

/** Continues a checksum with the bytes at `position`; bytes that it already covers are skipped. */
export function continueChecksum(before: Checksum, chunk: Buffer, position: number): Checksum {
	const fresh = chunk.subarray(Math.min(chunk.length, Math.max(0, before.bytes - position)));
	return fresh.length === 0 ? before : { bytes: position + chunk.length, crc: crc32(fresh, before.crc) };
}

/**
 * A hash of the two ends of the first `bytes` of an open file. "" if the file is shorter. Throws if the file cannot be read.
 */
export function endsHash(fd: number, bytes: number): string {
	const headLength = Math.min(HEAD_BYTES, bytes);
	const tailLength = Math.min(TAIL_BYTES, bytes);
	const ends = Buffer.concat([readBytes(fd, 0, headLength), readBytes(fd, bytes - tailLength, tailLength)]);
	return ends.length < headLength + tailLength ? "" : hash("sha1", ends);
}

/** A gigabyte takes a fifth of a second. */
function checksumOf(fd: number, bytes: number, buffer: Buffer = Buffer.allocUnsafe(CHUNK_BYTES)): number {
	let crc = 0;
	for (let at = 0; at < bytes; ) {
		const length = readSync(fd, buffer, 0, Math.min(buffer.length, bytes - at), at);
		if (length === 0) return -1;
		crc = crc32(buffer.subarray(0, length), crc);
		at += length;
	}
	return crc;
}
