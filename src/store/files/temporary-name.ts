import { randomBytes } from "node:crypto";
import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRunning } from "../../shared/is-running.ts";

const TEMPORARY = /^\..+\.pi-grove-(\d+)-[0-9a-f]{8}\.tmp$/;

/** No write takes this long. The process id may also belong to another machine that shares the directory. */
const STALE_MS = 60 * 60 * 1000;

/** How much of the file's own name the temporary name contains: most systems allow 255 bytes. */
const NAME_CHARACTERS = 40;

/**
 * A name for a file while it is being written: in the same directory, hidden, with the process id, and not ending in
 * `.jsonl`, so that nothing takes it for a session.
 */
export function temporaryName(path: string): string {
	const name = [...basename(path)].slice(0, NAME_CHARACTERS).join("");
	return join(dirname(path), `.${name}.pi-grove-${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
}

/**
 * Removes temporary files that were left behind in a directory: their process is gone, and they are older than an
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
		// The write that preceded this has succeeded; a remaining file is hidden and harmless.
		return;
	}
}
