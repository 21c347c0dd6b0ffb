import { join } from "node:path";
import { MOST_NAMES, numbered } from "./numbered-name.ts";
import { writeNewFile } from "./write-new-file.ts";

/** A file to be written. */
interface NamedFile {
	readonly directory: string;
	readonly name: string;
	/** Of its name, as "md". */
	readonly ending: string;
	/** What is in it, from its start. */
	readonly pieces: () => Iterable<string>;
	readonly encoding?: "utf8" | "base64";
	readonly mode: number;
}

/** Writes a file under a name that is free, never over another one; resolves to its path and its size in bytes. */
export async function writeUnderFreeName({
	directory,
	name,
	ending,
	pieces,
	encoding,
	mode,
}: NamedFile): Promise<{ readonly path: string; readonly size: number }> {
	for (let number = 1; number <= MOST_NAMES; number++) {
		const path = join(directory, `${numbered(name, number)}.${ending}`);
		const size = await writeNewFile(path, pieces(), mode, encoding);
		if (size !== undefined) return { path, size };
	}
	throw new Error(`too many files are named like ${name}.${ending}`);
}
