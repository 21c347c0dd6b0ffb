/** Distinguishes two states of a file without reading it. */
export interface FileStamp {
	readonly dev: number;
	readonly ino: number;
	/** In bytes. */
	readonly size: number;
	readonly mtimeMs: number;
}

/** Stands for a missing file. */
export const NO_STAMP: FileStamp = { dev: 0, ino: 0, size: 0, mtimeMs: 0 };

/** Only the stamp, of stats or of anything else that has one. */
export function stampOf({ dev, ino, size, mtimeMs }: FileStamp): FileStamp {
	return { dev, ino, size, mtimeMs };
}

/** Whether a file is unchanged; false if the earlier state is unknown. */
export function sameStamp(known: FileStamp | undefined, now: FileStamp): boolean {
	return known?.size === now.size && known.mtimeMs === now.mtimeMs && known.ino === now.ino && known.dev === now.dev;
}
