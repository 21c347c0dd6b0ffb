import { checksum } from "./checksum.ts";

/** A file as stored in the index. */
interface MarkedFile {
	readonly path: string;
	readonly size: number;
	readonly mtimeMs: number;
}

/**
 * Encodes whether a file may have letters with accents, as a number that is valid only for this state of the file: negative if
 * it may. A damaged number does not match.
 */
export function accentsMark({ path, size, mtimeMs }: MarkedFile, accents: boolean): number {
	// Never 0, which has no sign.
	const plain = checksum(path, size, mtimeMs) + 1;
	return accents ? -plain : plain;
}

/** Whether the file may have letters with accents; undefined if the mark is not valid for this state of the file. */
export function accentsOf(mark: unknown, file: MarkedFile): boolean | undefined {
	if (typeof mark !== "number" || Math.abs(mark) !== accentsMark(file, false)) return undefined;
	return mark < 0;
}
