import { lstat, mkdir, readlink, stat } from "node:fs/promises";
import { dirname, isAbsolute } from "../../shared/paths.ts";
import { isSame, moveFile } from "../files/move-file.ts";
import { isThere } from "../files/paths.ts";
import { cannot, errorCode, storeError } from "../files/store-error.ts";

/** What a move is for; part of its error messages: "Cannot archive the session: …". */
type MovePurpose = "archive the session" | "bring the session back" | "move the session back";

/**
 * Moves a session file to an unused path, also to another file system; of a link, the link itself. Makes the directory.
 * `sizeSeen`: the size of the file in bytes (of a link, of its target) that the person was shown; if it has changed, this rejects
 * with the code "changed". Rejects with a `StoreError`; then the file is where it was.
 */
export async function moveSession(from: string, to: string, what: MovePurpose, sizeSeen?: number): Promise<void> {
	for (const path of [from, to]) requireSessionName(path, what);
	try {
		const stats = await lstat(from);
		if (!stats.isFile() && !stats.isSymbolicLink()) throw cannot(what, from, "not-a-file", "it is not a regular file");
		// A relative link would lead elsewhere from the new directory.
		if (stats.isSymbolicLink() && !isAbsolute(await readlink(from)))
			throw cannot(what, from, "relative-link", "it is a relative symbolic link, which would be broken there");
		if (sizeSeen !== undefined && (await sizeBehind(from)) !== sizeSeen)
			throw cannot(what, from, "changed", "it was written to since you were shown it; check it again");
		await mkdir(dirname(to), { recursive: true, mode: 0o700 });
		await moveFile(from, to);
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw storeError(from, what, error);
		throw cannot(what, from, "EEXIST", `another file already exists: ${to}; it is not replaced`);
	}
}

/** Whether a session was moved: it is at `to`, and `from` is gone or another name of the same file. */
export async function isMoved(from: string, to: string): Promise<boolean> {
	if (!(await isThere(to))) return false;
	return !(await isThere(from)) || (await isSame(from, to));
}

/**
 * Only session files are moved: the path may come from a file, which may say anything. Throws a `StoreError`:
 * "Cannot <what>: …".
 */
export function requireSessionName(path: string, what: string): void {
	if (path.endsWith(".jsonl") && isAbsolute(path)) return;
	const why = "it is not the absolute path of a session file, whose name ends in .jsonl";
	throw cannot(what, path, "not-a-session", why);
}

/** In bytes; of a link, the size of its target, and 0 if it leads nowhere, as the list shows it. */
export async function sizeBehind(path: string): Promise<number> {
	try {
		return (await stat(path)).size;
	} catch (error) {
		if (errorCode(error) === "ENOENT" || errorCode(error) === "ELOOP") return 0;
		throw error;
	}
}
