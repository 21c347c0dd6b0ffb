import { join } from "node:path";
import { type Content, writeNewFile } from "./write-new-file.ts";

/** A file to be written. */
interface NamedFile extends Content {
	readonly directory: string;
	readonly name: string;
	/** The file extension: "md". */
	readonly ending: string;
}

/** Writes a file under a free name, never over another file; resolves to its path and its size in bytes. */
export async function writeUnderFreeName(file: NamedFile): Promise<{ readonly path: string; readonly size: number }> {
	const written = await writeNewFile({ [Symbol.iterator]: () => names(file) }, file);
	if (written === undefined) throw new Error(`too many files are named like ${file.name}.${file.ending}`);
	return written;
}

function* names({ directory, name, ending }: NamedFile): Generator<string> {
	for (let number = 1; number <= MOST_NAMES; number++) yield join(directory, `${numbered(name, number)}.${ending}`);
}

/** Names to try before giving up: "pi-sessions-2026-11-21", "pi-sessions-2026-11-21-2", … */
export const MOST_NAMES = 10_000;

/** The name with a number behind it; number 1 is the name alone. */
export function numbered(name: string, number: number): string {
	return number === 1 ? name : `${name}-${number}`;
}

/** "2026-11-21", local time; "undated" for an invalid date. */
export function dayOf(date: Date): string {
	if (Number.isNaN(date.getTime())) return "undated";
	const two = (part: number): string => String(part).padStart(2, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
