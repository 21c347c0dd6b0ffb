import { lstat, mkdir, readlink, stat } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import { isThere } from "../files/is-there.ts";
import { isSame, moveFile } from "../files/move-file.ts";
import { errorCode, StoreError, storeError } from "../files/store-error.ts";

/** What a move is for; part of its error messages: "Cannot archive the session: …". */
type MovePurpose = "archive the session" | "bring the session back" | "move the session back";

/**
 * Moves a session file to an unused path, also to another file system; of a link, the link itself. Makes the directory.
 * `seen`: the size of the file in bytes (of a link, of its target) that the person was shown; if it has changed, this rejects
 * with the code "changed". Rejects with a `StoreError`; then the file is where it was.
 */
export async function moveSession(from: string, to: string, what: MovePurpose, seen?: number): Promise<void> {
	for (const path of [from, to]) requireSessionName(path, what);
	try {
		const stats = await lstat(from);
		if (!stats.isFile() && !stats.isSymbolicLink())
			throw notMoved(from, "not-a-file", what, "it is not a regular file");
		// A relative link would lead elsewhere from the new directory.
		if (stats.isSymbolicLink() && !isAbsolute(await readlink(from)))
			throw notMoved(from, "relative-link", what, "it is a relative symbolic link, which would be broken there");
		if (seen !== undefined && (await sizeBehind(from)) !== seen)
			throw notMoved(from, "changed", what, "it was written to since you were shown it; check it again");
		await mkdir(dirname(to), { recursive: true, mode: 0o700 });
		await moveFile(from, to);
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw storeError(from, what, error);
		throw notMoved(from, "EEXIST", what, `another file already exists: ${to}; it is not replaced`);
	}
}

/** Whether a session was moved: it is at `to`, and `from` is gone or another name of the same file. */
export async function isMoved(from: string, to: string): Promise<boolean> {
	if (!(await isThere(to))) return false;
	return !(await isThere(from)) || (await isSame(from, to));
}

function notMoved(path: string, code: string, what: MovePurpose, why: string): StoreError {
	return new StoreError(path, code, `Cannot ${what}: ${why}. Path: ${path}`);
}

/**
 * Only session files are moved: the path may come from a file, which may say anything. Throws a `StoreError`:
 * "Cannot <what>: …".
 */
export function requireSessionName(path: string, what: string): void {
	if (path.endsWith(".jsonl") && isAbsolute(path)) return;
	const reason = "it is not the absolute path of a session file, whose name ends in .jsonl";
	throw new StoreError(path, "not-a-session", `Cannot ${what}: ${reason}. Path: ${path}`);
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
