import {
	chmodSync,
	closeSync,
	constants,
	fstatSync,
	mkdirSync,
	openSync,
	type Stats,
	statSync,
	writeSync,
} from "node:fs";
import { dirname } from "../../shared/paths.ts";
import { readBytes } from "./open-file.ts";
import { errorCode } from "./store-error.ts";

/**
 * Writes files of lines that several programs share: each line is appended in one write. All calls are synchronous, because
 * they are few and short and nothing may come in between.
 */

/** A file system may report another inode each time. A line that is written twice is harmless. */
const MAX_TRIES = 3;
const NEWLINE = 0x0a;
/** Opening a named pipe must not wait for a writer. */
const NEVER_WAIT = constants.O_NONBLOCK ?? 0;

/**
 * Appends one line. Creates the file and its directory if need be, readable by their owner only. A line that was cut off
 * before it stays a line of its own. Throws if the line cannot be written.
 */
export function appendWholeLine(path: string, line: string): void {
	const directory = dirname(path);
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	makePrivate(directory, statSync(directory), 0o700);
	for (let tries = 0; tries < MAX_TRIES && !tryAppend(path, line); ) tries += 1;
}

/** Returns false if another program has replaced the file meanwhile, so that the line is not in it. */
function tryAppend(path: string, line: string): boolean {
	const fd = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NEVER_WAIT, 0o600);
	try {
		const stats = regular(fd);
		makePrivate(path, stats, 0o600);
		const separator = stats.size === 0 || readBytes(fd, stats.size - 1, 1)[0] === NEWLINE ? "" : "\n";
		const bytes = Buffer.from(`${separator}${line}\n`);
		if (writeSync(fd, bytes) !== bytes.length) throw new Error("the disk is full");
		return statSync(path, { throwIfNoEntry: false })?.ino === stats.ino;
	} finally {
		closeSync(fd);
	}
}

/** What is known of an open file; throws if it is not a regular one. */
export function regular(fd: number): Stats {
	const stats = fstatSync(fd);
	if (!stats.isFile()) throw new Error("it is not a regular file; move it away");
	return stats;
}

/** Removes the permissions of others; if that is not permitted, they stay as they were. */
function makePrivate(path: string, { mode }: Stats, mostPermissions: number): void {
	if ((mode & 0o777 & ~mostPermissions) === 0) return;
	try {
		chmodSync(path, mode & mostPermissions);
	} catch (error) {
		if (!["EPERM", "EROFS", "ENOTSUP"].includes(errorCode(error))) throw error;
	}
}
