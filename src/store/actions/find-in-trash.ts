import { lstat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { xdgDir } from "../../shared/xdg-dir.ts";
import { readTextFile } from "../files/open-file.ts";
import { errorCode, storeError } from "../files/store-error.ts";
import { notesIn } from "./list-trash.ts";
import { pathInNote, type TrashReceipt } from "./trash.ts";

/**
 * The directories in one of which the trash of a Linux desktop puts a file: that of the home directory, and those on top
 * of the file system that the file is in, which is any directory above it. None on other systems, which do not tell.
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
 * bytes; undefined when none is there. Rejects with a `StoreError` when a trash cannot be read.
 */
export async function findInTrash(
	path: string,
	size: number,
	at: string,
	dirs: readonly string[],
): Promise<TrashReceipt | undefined> {
	// A note has the time of its writing, in whole seconds for some file systems.
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
		// A note without a file, a note that was removed just now, or something else in the place of one.
		if (errorCode(error) === "ENOENT" || errorCode(error) === "not-a-file") return false;
		throw storeError(trashed.info, "look into the trash", error);
	}
}
