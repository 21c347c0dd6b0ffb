import { checksum } from "./checksum.ts";

/** A file as it is stored in the index. */
interface MarkedFile {
	readonly path: string;
	readonly size: number;
	readonly mtimeMs: number;
}

/**
 * What the index says of the letters of a file: a number that is right for this state of the file only, below 0 where there
 * may be some with accents. Damage makes it a wrong one.
 */
export function accentsMark({ path, size, mtimeMs }: MarkedFile, accents: boolean): number {
	// Never 0, which has no sign.
	const plain = checksum(`${path} ${size} ${mtimeMs}`) + 1;
	return accents ? -plain : plain;
}

/** Whether the file may have letters with accents; undefined where the index does not know it of this state of the file. */
export function accentsOf(mark: unknown, file: MarkedFile): boolean | undefined {
	if (typeof mark !== "number" || Math.abs(mark) !== accentsMark(file, false)) return undefined;
	return mark < 0;
}
