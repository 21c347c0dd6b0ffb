import { readSync } from "node:fs";

/** Requests the bytes of the file from `position` on, as many as there are, for `buffer[start, end)`. */
export interface ReadRequest {
	readonly buffer: Buffer;
	readonly start: number;
	readonly end: number;
	readonly position: number;
}

/** Reads `length` bytes at `position`, fewer at the end of the file. */
export function readBytes(fd: number, position: number, length: number): Buffer {
	const buffer = Buffer.allocUnsafe(length);
	return buffer.subarray(0, readSpan(fd, { buffer, start: 0, end: length, position }));
}

/** Fills a part of a buffer; returns how many bytes there were. */
export function readSpan(fd: number, { buffer, start, end, position }: ReadRequest): number {
	let at = start;
	while (at < end) {
		const length = readSync(fd, buffer, at, end - at, position + at - start);
		if (length === 0) break;
		at += length;
	}
	return at - start;
}
