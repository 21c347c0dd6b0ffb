import { constants } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "../../shared/paths.ts";
import { textBatches } from "../../shared/steps.ts";
import { moveFile, removeStaleTemporaries, temporaryName } from "../files/move-file.ts";
import { errorCode } from "../files/store-error.ts";
import { removePath, renamePath } from "../files/while-busy.ts";

interface FileContent {
	/** Its text, or its base64; each call starts from the beginning. */
	readonly pieces: () => Iterable<string>;
	readonly encoding?: "utf8" | "base64";
	/** Mode of the file; the umask applies, as to any new file. */
	readonly mode: number;
}

/** Writes a file, whole or not at all, and rejects if there is one already. Resolves to its size in bytes. */
export async function writeNewText(path: string, content: FileContent): Promise<number> {
	return writeBeside(path, content, async (temporary, size) => {
		await moveFile(temporary, path);
		return size;
	});
}

/**
 * Writes and syncs a temporary file in the directory of a path, and lets `put` give it its name. If that fails, nothing is
 * left behind; if the process is killed, the next one that writes there removes the file. `size` is in bytes.
 */
async function writeBeside<Result>(
	path: string,
	{ pieces, encoding = "utf8", mode }: FileContent,
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
		await removePath(temporary, { force: true });
		removeStaleTemporaries(dirname(path));
	}
}

/** Moves the file to a path if that is free; resolves to whether it did. */
async function moveTo(temporary: string, path: string): Promise<boolean> {
	try {
		await moveFile(temporary, path);
		return true;
	} catch (error) {
		if (errorCode(error) === "EEXIST") return false;
		throw error;
	}
}

/**
 * Writes a file atomically, over an existing one, readable by its owner alone. Creates its directory. When it rejects, the
 * previous file is still there.
 */
export async function replaceText(path: string, pieces: Iterable<string>): Promise<void> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	await writeBeside(path, { pieces: () => pieces, mode: 0o600 }, (temporary) => renamePath(temporary, path));
}

interface NamedFile extends FileContent {
	readonly directory: string;
	readonly name: string;
	/** The file extension: "md". */
	readonly ending: string;
}

/** Writes a file under a free name, never over another file; resolves to its path and its size in bytes. */
export async function writeUnderFreeName(file: NamedFile): Promise<{ readonly path: string; readonly size: number }> {
	const pathOf = (number: number): string => join(file.directory, `${numbered(file.name, number)}.${file.ending}`);
	return writeBeside(pathOf(1), file, async (temporary, size) => {
		for (let number = 1; ; number++) {
			const path = pathOf(number);
			if (await moveTo(temporary, path)) return { path, size };
		}
	});
}

/** A name with a number: "pi-sessions-2026-11-21", "pi-sessions-2026-11-21-2", … */
export function numbered(name: string, number: number): string {
	return number === 1 ? name : `${name}-${number}`;
}
