import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const HEAD = 1024;
const TAIL = 4096;

/**
 * A hash of the first and the last bytes before `offset`, to tell a file that has grown from one that was replaced.
 * "" when the file cannot be read or is shorter, which matches no mark.
 */
export function prefixMark(path: string, offset: number): string {
	try {
		const fd = openSync(path, "r");
		try {
			const head = Buffer.alloc(Math.min(HEAD, offset));
			const tail = Buffer.alloc(Math.min(TAIL, offset));
			const read = readSync(fd, head, 0, head.length, 0) + readSync(fd, tail, 0, tail.length, offset - tail.length);
			if (read < head.length + tail.length) return "";
			return createHash("sha1").update(head).update(tail).digest("hex");
		} finally {
			closeSync(fd);
		}
	} catch {
		// The scan that follows will meet the same error and make a row of it.
		return "";
	}
}
