import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { StoreError } from "../../store/files/store-error.ts";

/** A regular file that is open for reading; whoever opened it closes `fd`. */
export interface OpenFile {
	readonly fd: number;
	/** As it was when it was opened. */
	readonly stats: Stats;
}

/** Opens a regular file; throws for anything else, and never waits for it. */
export function openFile(path: string): OpenFile {
	// Without O_NONBLOCK opening a named pipe would wait for its writer for ever. Windows has no such flag.
	const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	try {
		const stats = fstatSync(fd);
		if (stats.isFile()) return { fd, stats };
		throw new StoreError(path, "not-a-file", `Cannot read the session ${path}: it is no regular file.`);
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}
