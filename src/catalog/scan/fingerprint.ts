import { hash } from "node:crypto";
import { readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { readBytes } from "../../store/files/open-file.ts";
import { CHUNK_BYTES } from "../../store/read/line-reader.ts";

const HEAD_BYTES = 1024;
const TAIL_BYTES = 4096;

/** What is known of the first bytes of a file, to distinguish a file that has grown from one that was changed in any other way. */
export interface Fingerprint {
	/** How many bytes these are, and a hash of their ends. "" if nothing was read; that matches no file. */
	readonly fingerprint: string;
	/** CRC-32 of all of them; undefined if it was not computed. */
	readonly crc: number | undefined;
}

/** The checksum of the first bytes of a file; it can be continued. */
export interface Checksum {
	readonly bytes: number;
	/** CRC-32 of these bytes; undefined if it is not computed. */
	readonly crc: number | undefined;
}

/** The checksum before the first byte. */
export const NO_BYTES: Checksum = { bytes: 0, crc: 0 };
/** The same where none is computed: that takes a quarter of the time of a first listing. */
export const NO_CHECKSUM: Checksum = { bytes: 0, crc: undefined };

export function fingerprintOf(fd: number, { bytes, crc }: Checksum): Fingerprint {
	const ends = endsHash(fd, bytes);
	return { fingerprint: ends === "" ? "" : `${bytes}:${ends}`, crc };
}

/**
 * The checksum in a fingerprint, if the open file of this size still begins with these bytes. "unverified" if that cannot be
 * told: their ends are the same, and no checksum was computed. Undefined if it does not. `hasty` compares only their ends, so
 * that the cost does not depend on the size of the file.
 */
export function verify(
	fd: number,
	size: number,
	{ fingerprint, crc }: Fingerprint,
	{ hasty = false, buffer }: { readonly hasty?: boolean | undefined; readonly buffer?: Buffer | undefined } = {},
): Checksum | "unverified" | undefined {
	const bytes = Number(fingerprint.split(":")[0]);
	if (fingerprint === "" || !(bytes <= size)) return undefined;
	if (fingerprintOf(fd, { bytes, crc }).fingerprint !== fingerprint) return undefined;
	if (hasty) return { bytes, crc };
	if (crc === undefined) return "unverified";
	return checksumOf(fd, bytes, buffer) === crc ? { bytes, crc } : undefined;
}

/** Continues a checksum with the bytes at `position`; bytes that it already covers are skipped. */
export function continueChecksum(checksum: Checksum, chunk: Buffer, position: number): Checksum {
	const fresh = chunk.subarray(Math.min(chunk.length, Math.max(0, checksum.bytes - position)));
	if (fresh.length === 0) return checksum;
	const crc = checksum.crc === undefined ? undefined : crc32(fresh, checksum.crc);
	return { bytes: position + chunk.length, crc };
}

/**
 * A hash of the two ends of the first `bytes` of an open file. "" if the file is shorter. Throws if the file cannot be read.
 */
function endsHash(fd: number, bytes: number): string {
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
