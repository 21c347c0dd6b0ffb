import { constants } from "node:fs";
import { open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { moveFile } from "../../../store/files/move-file.ts";
import { errorCode } from "../../../store/files/store-error.ts";
import { removeStaleTemporaries, temporaryName } from "../../../store/files/temporary-name.ts";
import { textBatches } from "./text-batches.ts";

/** What is in a file that is written. */
export interface Content {
	/** Its text, or its base64; each call starts from the beginning. */
	readonly pieces: () => Iterable<string>;
	readonly encoding?: "utf8" | "base64";
	/** Mode of the file; the umask applies, as to any new file. */
	readonly mode: number;
}

/**
 * Writes a file, whole or not at all, and never over another one: under the first of `paths` (all in one directory) that is
 * free. Resolves to its path and its size in bytes; to undefined, with nothing written, if none is free.
 */
export async function writeNewFile(
	paths: Iterable<string>,
	content: Content,
): Promise<{ readonly path: string; readonly size: number } | undefined> {
	const [first] = paths;
	if (first === undefined) return undefined;
	return writeBeside(first, content, async (temporary, size) => {
		for (const path of paths) if (await moveTo(temporary, path)) return { path, size };
		return undefined;
	});
}

/**
 * Writes and syncs a temporary file in the directory of a path, and has `put` give it its name. If that fails, nothing is left
 * behind; if the process is killed, the next one that writes there removes it. `size` is in bytes.
 */
export async function writeBeside<Result>(
	path: string,
	{ pieces, encoding = "utf8", mode }: Content,
	put: (temporary: string, size: number) => Promise<Result>,
): Promise<Result> {
	const { O_WRONLY, O_CREAT, O_EXCL } = constants;
	const temporary = temporaryName(path);
	// Outside the `try`: an existing file is not ours to remove.
	const file = await open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
	try {
		let size = 0;
		try {
			for await (const text of textBatches(pieces())) {
				const bytes = Buffer.from(text, encoding);
				await file.writeFile(bytes);
				size += bytes.length;
			}
			await file.sync();
		} finally {
			await file.close();
		}
		return await put(temporary, size);
	} finally {
		await rm(temporary, { force: true });
		removeStaleTemporaries(dirname(path));
	}
}

/** Moves the file to a path if that is free; resolves to whether it was. */
async function moveTo(temporary: string, path: string): Promise<boolean> {
	try {
		await moveFile(temporary, path);
		return true;
	} catch (error) {
		if (errorCode(error) === "EEXIST") return false;
		throw error;
	}
}
