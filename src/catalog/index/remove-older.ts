import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { INDEX_VERSION } from "./schema.ts";

/** `catalog.db` (up to 0.1.0) or `catalog-9.db`. */
const DATABASE = /^catalog(?:-(\d+))?\.db$/;
/** Files beside a database. */
const SUFFIXES = ["-wal", "-shm", ".damaged"];

/**
 * Removes the indexes of older versions, which may take hundreds of megabytes. A failure is not worth a message: the next
 * start tries again.
 */
export function removeOlder(cacheDir: string): void {
	try {
		const databases = new Set(readdirSync(cacheDir).map((name) => name.replace(/(?:-wal|-shm|\.damaged)$/, "")));
		for (const name of databases) {
			const version = DATABASE.exec(name);
			if (version && Number(version[1] ?? 0) < INDEX_VERSION) removeDatabase(join(cacheDir, name));
		}
	} catch {
		// The next start tries again.
	}
}

function removeDatabase(path: string): void {
	// The database first: if it cannot be removed, it still needs the files beside it.
	rmSync(path, { force: true });
	for (const suffix of SUFFIXES) rmSync(path + suffix, { force: true });
}
