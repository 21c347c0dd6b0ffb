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
	const plain = plainMark(checksum(path, size, mtimeMs));
	return accents ? -plain : plain;
}

/**
 * Whether the file may have letters with accents; undefined if the mark is not valid for this state of the file. `sumOf`: the checksum
 * of its path and these.
 */
export function accentsOf(
	mark: unknown,
	{ path, size, mtimeMs }: MarkedFile,
	sumOf: (size: number, mtimeMs: number) => number = (...state) => checksum(path, ...state),
): boolean | undefined {
	if (typeof mark !== "number" || Math.abs(mark) !== plainMark(sumOf(size, mtimeMs))) return undefined;
	return mark < 0;
}

/** Never 0, which has no sign. */
function plainMark(sum: number): number {
	return sum + 1;
}
