import { hash } from "node:crypto";
import { closeSync, readSync } from "node:fs";
import { openFile } from "../../store/files/open-file.ts";

const HEAD = 1024;
const TAIL = 4096;

/**
 * A hash of the first and the last bytes before `offset`, to tell a file that has grown from one that was replaced.
 * "" when the file cannot be read or is shorter, which matches no fingerprint.
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
		// The scan that follows will meet the same error and make a row of it.
		return "";
	}
}

/** The same for an open file; throws when it cannot be read. */
export function fingerprintOf(fd: number, offset: number): string {
	const head = Buffer.allocUnsafe(Math.min(HEAD, offset));
	const tail = Buffer.allocUnsafe(Math.min(TAIL, offset));
	const read = readSync(fd, head, 0, head.length, 0) + readSync(fd, tail, 0, tail.length, offset - tail.length);
	if (read < head.length + tail.length) return "";
	return hash("sha1", Buffer.concat([head, tail]));
}
