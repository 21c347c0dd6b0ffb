import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** Bytes of a file that is read whole, at most: settings and notes are far shorter. */
const MAX_BYTES = 1024 * 1024;

/** Opens a regular file for reading; throws for anything else, and never waits for a pipe, in which pi would hang. */
export function openRegular(path: string): number {
	const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
	if (fstatSync(file).isFile()) return file;
	closeSync(file);
	throw new Error(`${path} is not a regular file`);
}

/** The text of a small regular file; throws for anything else. */
export function readText(path: string): string {
	const file = openRegular(path);
	try {
		if (fstatSync(file).size > MAX_BYTES) throw new Error(`${path} is larger than 1 MiB`);
		return readFileSync(file, "utf8");
	} finally {
		closeSync(file);
	}
}
