import { constants } from "node:fs";
import { open, rm } from "node:fs/promises";
import { errorCode } from "../../store/files/store-error.ts";
import { textBatches } from "./text-batches.ts";

/**
 * Writes a text, or what it is the base64 of, into a file that is not there yet, and resolves to its size in bytes; to
 * undefined, with nothing written, when something is there. When it cannot be written to its end, what was written is
 * removed.
 */
export async function writeNewFile(
	path: string,
	pieces: Iterable<string>,
	mode: number,
	encoding: "utf8" | "base64" = "utf8",
): Promise<number | undefined> {
	const { O_WRONLY, O_CREAT, O_EXCL } = constants;
	let file: Awaited<ReturnType<typeof open>>;
	try {
		file = await open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
	} catch (error) {
		if (errorCode(error) === "EEXIST") return undefined;
		throw error;
	}
	let size = 0;
	try {
		for await (const text of textBatches(pieces)) {
			const bytes = Buffer.from(text, encoding);
			await file.writeFile(bytes);
			size += bytes.length;
		}
		await file.close();
		return size;
	} catch (error) {
		await file.close().catch(() => undefined);
		await rm(path, { force: true });
		throw error;
	}
}
