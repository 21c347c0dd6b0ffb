import { hash } from "node:crypto";
import { closeSync } from "node:fs";
import { openFile } from "../../store/files/open-file.ts";
import { readBytes } from "../../store/read/line-reader.ts";

const HEAD_BYTES = 1024;
const TAIL_BYTES = 4096;

/**
 * A hash of the first and the last bytes before `offset`, to distinguish a file that has grown from one that was
 * replaced. "" when the file cannot be read or is shorter; that matches no fingerprint.
 */
export function fingerprint(path: string, offset: number): string {
	try {
		const { fd } = openFile(path);
		try {
			return fingerprintOf(fd, offset);
		} finally {
			closeSync(fd);
		}
	} catch {
		// The scan that follows meets the same error and reports it in the row.
		return "";
	}
}

/** The same for an open file; throws when it cannot be read. */
export function fingerprintOf(fd: number, offset: number): string {
	const headLength = Math.min(HEAD_BYTES, offset);
	const tailLength = Math.min(TAIL_BYTES, offset);
	const bytes = Buffer.concat([readBytes(fd, 0, headLength), readBytes(fd, offset - tailLength, tailLength)]);
	return bytes.length < headLength + tailLength ? "" : hash("sha1", bytes);
}
