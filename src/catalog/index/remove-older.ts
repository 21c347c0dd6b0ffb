import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { INDEX_VERSION } from "./schema.ts";

/** `catalog.db` (up to 0.1.0) or `catalog-9.db`. */
const DATABASE = /^catalog(?:-(\d+))?\.db$/;
/** What lies beside it. */
const SUFFIXES = ["-wal", "-shm", ".damaged"];

/**
 * Removes what indexes of older versions have left, hundreds of megabytes perhaps, as far as that is possible: nobody has
 * to know.
 */
export function removeOlder(cacheDir: string): void {
	try {
		const databases = new Set(readdirSync(cacheDir).map((name) => name.replace(/(?:-wal|-shm|\.damaged)$/, "")));
		for (const name of databases) {
			const version = DATABASE.exec(name);
			if (version && Number(version[1] ?? 0) < INDEX_VERSION) removeDatabase(join(cacheDir, name));
		}
	} catch {
		// Tried again at the next start.
	}
}

function removeDatabase(path: string): void {
	// First, because what lies beside a database that cannot be removed is a part of it.
	rmSync(path, { force: true });
	for (const suffix of SUFFIXES) rmSync(path + suffix, { force: true });
}
