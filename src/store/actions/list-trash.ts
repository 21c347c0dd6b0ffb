import { lstat, stat } from "node:fs/promises";
import { TimeSlice } from "../../shared/steps.ts";
import { readHeader } from "../read/read-header.ts";
import { filesInTrash, readTrashNote, type TrashedFile } from "./trash-places.ts";

interface SessionInTrash {
	readonly trashed: TrashedFile;
	/** Original path. Absolute. */
	readonly path: string;
	/** In bytes; of a link, its own size. */
	readonly size: number;
	/** When it was moved there, Unix ms; NaN if no note says that. */
	readonly deletedMs: number;
}

/**
 * The session files in these trash directories: files named like a session, with a header. `knownPaths`: the original paths of files in the
 * trash, by their paths there, which are listed whatever they contain; where there are no notes, only they are. Rejects with a
 * `StoreError` when a trash cannot be read; a note that cannot be read is skipped.
 */
export async function listTrash(
	dirs: readonly string[],
	knownPaths: ReadonlyMap<string, string>,
): Promise<SessionInTrash[]> {
	const slice = new TimeSlice();
	const sessions: SessionInTrash[] = [];
	for await (const trashed of filesInTrash(dirs)) {
		const session = await trashedSession(trashed, knownPaths.get(trashed.path));
		if (session !== undefined) sessions.push(session);
		if (slice.shouldYield()) await slice.yieldToEventLoop();
	}
	return sessions;
}

async function trashedSession(
	trashed: TrashedFile,
	knownPath: string | undefined,
): Promise<SessionInTrash | undefined> {
	try {
		const { path, deletedMs } =
			trashed.info === undefined ? { path: knownPath, deletedMs: Number.NaN } : await readTrashNote(trashed.info);
		if (path === undefined || !path.endsWith(".jsonl")) return undefined;
		const { size } = await lstat(trashed.path);
		if (knownPath === undefined && !(await isSession(trashed.path))) return undefined;
		return { trashed, path, size, deletedMs };
	} catch {
		// A note without a file, in another format, or just removed; or another user's file.
		return undefined;
	}
}

/** Only regular files are opened. */
async function isSession(path: string): Promise<boolean> {
	return (await stat(path)).isFile() && readHeader(path) !== undefined;
}
