import { lstat, mkdir, readlink } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import { isThere } from "../files/is-there.ts";
import { isSame, moveFile } from "../files/move-file.ts";
import { errorCode, StoreError, storeError } from "../files/store-error.ts";
import { requireSessionName, sizeBehind } from "./session-file.ts";

/** What a move is for, for its errors: "Cannot archive the session: …". */
export type MovePurpose = "archive the session" | "bring the session back" | "move the session back";

/**
 * Moves a session file to a path that nothing has, also to another file system; of a link, the link. Makes the directory.
 * `seen`: the size of the file in bytes (of a link, of what it leads to) as the person was shown it; when it is another
 * one now, this rejects with the code "changed". Rejects with a `StoreError`; then the file is where it was.
 */
export async function moveSession(from: string, to: string, what: MovePurpose, seen?: number): Promise<void> {
	for (const path of [from, to]) requireSessionName(path, what);
	try {
		const stats = await lstat(from);
		if (!stats.isFile() && !stats.isSymbolicLink())
			throw notMoved(from, "not-a-file", what, "it is not a regular file");
		// Elsewhere it would lead somewhere else.
		if (stats.isSymbolicLink() && !isAbsolute(await readlink(from)))
			throw notMoved(
				from,
				"relative-link",
				what,
				"it is a relative symbolic link, which would lead nowhere from there",
			);
		if (seen !== undefined && (await sizeBehind(from)) !== seen)
			throw notMoved(from, "changed", what, "something was written to it since you were shown it; look at it again");
		await mkdir(dirname(to), { recursive: true, mode: 0o700 });
		await moveFile(from, to);
	} catch (error) {
		if (errorCode(error) !== "EEXIST") throw storeError(from, what, error);
		throw notMoved(from, "EEXIST", what, `there is another file already: ${to}; it is not replaced`);
	}
}

/** Whether a session was moved: it is at `to`, and at `from` at most by the same name of the same file. */
export async function isMoved(from: string, to: string): Promise<boolean> {
	if (!(await isThere(to))) return false;
	return !(await isThere(from)) || (await isSame(from, to));
}

function notMoved(path: string, code: string, what: MovePurpose, why: string): StoreError {
	return new StoreError(path, code, `Cannot ${what}: ${why}. Path: ${path}`);
}
