import { checksum } from "./checksum.ts";

/** A file as it is stored in the index. */
interface MarkedFile {
	readonly path: string;
	readonly size: number;
	readonly mtimeMs: number;
}

/**
 * What the index says of the letters of a file: a number that is right for this state of the file only, and that damage does
 * not change to another one that is.
 */
export function accentsMark(file: MarkedFile, accents: boolean): number {
	return checksum(file.path, `${file.size} ${file.mtimeMs}`, accents ? "accents" : "plain");
}

/** Whether the file may have letters with accents; undefined where the index does not know it of this state of the file. */
export function accentsOf(mark: unknown, file: MarkedFile): boolean | undefined {
	if (typeof mark !== "number") return undefined;
	if (mark === accentsMark(file, false)) return false;
	return mark === accentsMark(file, true) ? true : undefined;
}
