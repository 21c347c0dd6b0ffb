import { lstat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { xdgDir } from "../../shared/xdg-dir.ts";
import { readTextFile } from "../files/open-file.ts";
import { errorCode, storeError } from "../files/store-error.ts";
import { notesIn } from "./list-trash.ts";
import { pathInNote, type TrashReceipt } from "./trash.ts";

/**
 * The directories in which the trash of a Linux desktop may have put a file: the one in the home directory, and those at the
 * top of the file's file system, which may be any directory above it. Empty on other systems, which do not report it.
 */
export function trashDirs(path: string, platform: NodeJS.Platform = process.platform): string[] {
	if (platform === "win32" || platform === "darwin") return [];
	const user = process.getuid?.() ?? 0;
	const dirs = [join(xdgDir("XDG_DATA_HOME", process.env, homedir()), "Trash")];
	for (let top = dirname(path); ; top = dirname(top)) {
		dirs.push(join(top, ".Trash", String(user)), join(top, `.Trash-${user}`));
		if (top === dirname(top)) return dirs;
	}
}

/**
 * The receipt of a file that was moved to the trash from `path` at the time (ISO 8601) or later, when it had `size`
 * bytes; undefined if there is none. Rejects with a `StoreError` when a trash cannot be read.
 */
export async function findInTrash(
	path: string,
	size: number,
	at: string,
	dirs: readonly string[],
): Promise<TrashReceipt | undefined> {
	// Some file systems store the note's time in whole seconds.
	const earliestMs = Date.parse(at) - 2000;
	for (const dir of dirs) {
		for (const name of await notesIn(dir)) {
			const info = join(dir, "info", name);
			const trashed = { path: join(dir, "files", basename(name, ".trashinfo")), info };
			if (await isWanted(trashed, path, size, earliestMs)) return { path, size, trashed };
		}
	}
	return undefined;
}

async function isWanted(
	trashed: NonNullable<TrashReceipt["trashed"]>,
	path: string,
	size: number,
	earliestMs: number,
): Promise<boolean> {
	try {
		const file = await lstat(trashed.path);
		if (file.size !== size || (await lstat(trashed.info)).mtimeMs < earliestMs) return false;
		return (await pathInNote(trashed.info, readTextFile(trashed.info))) === path;
	} catch (error) {
		// A note without a file, one that was just removed, or something that is not a note.
		if (errorCode(error) === "ENOENT" || errorCode(error) === "not-a-file") return false;
		throw storeError(trashed.info, "look into the trash", error);
	}
}
