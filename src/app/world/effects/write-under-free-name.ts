import { join } from "node:path";
import { MOST_NAMES, numbered } from "./numbered-name.ts";
import { type Content, writeNewFile } from "./write-new-file.ts";

/** A file to be written. */
interface NamedFile extends Content {
	readonly directory: string;
	readonly name: string;
	/** Of its name, as "md". */
	readonly ending: string;
}

/** Writes a file under a name that is free, never over another one; resolves to its path and its size in bytes. */
export async function writeUnderFreeName(file: NamedFile): Promise<{ readonly path: string; readonly size: number }> {
	const written = await writeNewFile({ [Symbol.iterator]: () => names(file) }, file);
	if (written === undefined) throw new Error(`too many files are named like ${file.name}.${file.ending}`);
	return written;
}

function* names({ directory, name, ending }: NamedFile): Generator<string> {
	for (let number = 1; number <= MOST_NAMES; number++) yield join(directory, `${numbered(name, number)}.${ending}`);
}
