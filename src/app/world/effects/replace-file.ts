import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { writeBeside } from "./write-new-file.ts";

/**
 * Writes a file atomically, over an existing one, readable by its owner alone. Creates its directory. When it rejects, the
 * previous file is still there.
 */
export async function replaceFile(path: string, pieces: Iterable<string>): Promise<void> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	await writeBeside(path, { pieces: () => pieces, mode: 0o600 }, (temporary) => rename(temporary, path));
}
