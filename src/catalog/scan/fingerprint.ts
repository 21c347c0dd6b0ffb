import { hash } from "node:crypto";
import { readBytes } from "../../store/read/line-reader.ts";

const HEAD_BYTES = 1024;
const TAIL_BYTES = 4096;

/**
 * A hash of the first and the last bytes before `offset` of an open file, to distinguish a file that has grown from one
 * that was replaced. "" when the file is shorter; that matches no fingerprint. Throws when the file cannot be read.
 */
export function fingerprintOf(fd: number, offset: number): string {
	const headLength = Math.min(HEAD_BYTES, offset);
	const tailLength = Math.min(TAIL_BYTES, offset);
	const bytes = Buffer.concat([readBytes(fd, 0, headLength), readBytes(fd, offset - tailLength, tailLength)]);
	return bytes.length < headLength + tailLength ? "" : hash("sha1", bytes);
}
