import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRunning } from "../../shared/is-running.ts";

const TEMPORARY = /^\..+\.pi-grove-(\d+)-[0-9a-f]{8}\.tmp$/;

/** No write takes this long. A process of this number may also run on another machine that has the same directory. */
const STALE_MS = 60 * 60 * 1000;

/** Characters of the file's own name in that of its temporary file: most systems allow 255 bytes. */
const NAME_CHARACTERS = 40;

/**
 * A name for a file while it is being written: in the same directory, hidden, with the process in it, and not ending in
 * `.jsonl`, so that nobody takes it for a session.
 */
export function temporaryName(path: string): string {
	const name = [...basename(path)].slice(0, NAME_CHARACTERS).join("");
	return join(dirname(path), `.${name}.pi-grove-${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
}

/**
 * Removes the temporary files in a directory that were left behind: their process was killed, and they are older than an
 * hour. Never throws: what cannot be removed is tried again with the next write.
 */
export function removeStaleTemporaries(dir: string, now = Date.now()): void {
	try {
		for (const name of readdirSync(dir)) {
			const pid = TEMPORARY.exec(name)?.[1];
			if (pid === undefined || isRunning(Number(pid))) continue;
			const path = join(dir, name);
			const stats = lstatSync(path);
			if (stats.isFile() && now - stats.mtimeMs > STALE_MS) unlinkSync(path);
		}
	} catch {
		// The write that this came after has succeeded; a file that stays is hidden and harms nobody.
		return;
	}
}
