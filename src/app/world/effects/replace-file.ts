import { mkdir, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { writeBeside } from "./write-new-file.ts";

/**
 * Puts a file in the place of one that may be there, whole, for its owner alone: nobody ever reads a part of it. What it is
 * in is made. Rejects with the reason, and the file before stays.
 */
export async function replaceFile(path: string, pieces: Iterable<string>): Promise<void> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	await writeBeside(path, { pieces: () => pieces, mode: 0o600 }, (temporary) => rename(temporary, path));
}
