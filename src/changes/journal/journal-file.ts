import {
	chmodSync,
	closeSync,
	constants,
	fstatSync,
	mkdirSync,
	openSync,
	renameSync,
	type Stats,
	statSync,
	unlinkSync,
	writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../../store/files/store-error.ts";
import { readBytes } from "../../store/read/line-reader.ts";
import { keptFrom, keptNote, lengthAfterCut, MOST_READ_BYTES } from "./journal-cut.ts";

/**
 * The file of the journal, and what other files of lines have in common with it. Every line is one write at its end, so
 * that several programs can write to it; all calls are synchronous, because they are few and short, and nothing may come
 * in between.
 */

/**
 * A longer file is cut to half of this when it is written to, unless it was as long after the last cut: more than 100,000
 * changes are a history that nobody reads to its end.
 */
const MAX_BYTES = 64 * 1024 * 1024;
/** A cut that was begun this long ago was killed, in ms. */
const STALE_MS = 60_000;
/** A file system that gives a file another number each time must not keep us here; a line that is twice is harmless. */
const MAX_TRIES = 3;
const NEWLINE = 0x0a;
const NEVER_WAIT = constants.O_NONBLOCK ?? 0;

/**
 * Appends one line, and makes the file and its directory where they are not there; nobody but their owner may read
 * them. A line that was cut off before it stays one of its own. Throws when it cannot be written.
 */
export function appendWholeLine(path: string, line: string): void {
	openDirectory(dirname(path));
	for (let tries = 0; tries < MAX_TRIES && !tryAppend(path, line); ) tries += 1;
}

/** The same for the journal, which is cut when it has grown long. */
export function appendLine(path: string, line: string, maxBytes = MAX_BYTES): void {
	appendWholeLine(path, line);
	cutIfLong(path, maxBytes);
}

function openDirectory(directory: string): void {
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	makePrivate(directory, statSync(directory), 0o700);
}

/** Returns false when another program has put a new file in place meanwhile, which the line is not in. */
function tryAppend(path: string, line: string): boolean {
	const fd = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NEVER_WAIT, 0o600);
	try {
		const stats = regular(fd);
		makePrivate(path, stats, 0o600);
		const before = stats.size === 0 || readEnd(fd, stats.size, 1)[0] === NEWLINE ? "" : "\n";
		const bytes = Buffer.from(`${before}${line}\n`);
		if (writeSync(fd, bytes) !== bytes.length) throw new Error("the disk is full");
		return statSync(path, { throwIfNoEntry: false })?.ino === stats.ino;
	} finally {
		closeSync(fd);
	}
}

function regular(fd: number): Stats {
	const stats = fstatSync(fd);
	if (!stats.isFile()) throw new Error("it is not a regular file; move it away");
	return stats;
}

/** Takes from others what they may do with it; where that is not permitted it is no worse than before. */
function makePrivate(path: string, { mode }: Stats, wanted: number): void {
	if ((mode & 0o777 & ~wanted) === 0) return;
	try {
		chmodSync(path, mode & wanted);
	} catch (error) {
		if (!["EPERM", "EROFS", "ENOTSUP"].includes(errorCode(error))) throw error;
	}
}

function readEnd(fd: number, size: number, length: number): Buffer {
	const from = Math.max(0, size - length);
	return readBytes(fd, from, size - from);
}

/**
 * Replaces a long file by its end. The new file is made under a name that only one program can make at a time. What
 * another appends to the old file meanwhile is taken over, or it sees that the file is another and writes again.
 */
function cutIfLong(path: string, maxBytes: number): void {
	const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	if (size <= maxBytes) return;
	const temporary = `${path}.cut`;
	try {
		if (size > longest(path, maxBytes)) cut(path, temporary, maxBytes);
	} catch (error) {
		// The line is written; another program may be cutting, or the next time will do.
		if (errorCode(error) === "EEXIST") removeStale(temporary);
	}
}

/** How long the file may be. */
function longest(path: string, maxBytes: number): number {
	const fd = openSync(path, constants.O_RDONLY | NEVER_WAIT);
	try {
		return Math.max(maxBytes, lengthAfterCut(readBytes(fd, 0, 100)) + maxBytes / 2);
	} finally {
		closeSync(fd);
	}
}

function cut(path: string, temporary: string, maxBytes: number): void {
	const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
	const made = openSync(temporary, flags, 0o600);
	try {
		const old = openSync(path, constants.O_RDONLY | NEVER_WAIT);
		try {
			putInPlace({ path, temporary, made, old }, maxBytes / 2);
		} finally {
			closeSync(old);
		}
	} finally {
		closeSync(made);
	}
}

/** The file and the new one, which are open. */
interface Cut {
	readonly path: string;
	readonly temporary: string;
	readonly made: number;
	readonly old: number;
}

function putInPlace({ path, temporary, made, old }: Cut, bytesKept: number): void {
	let taken = regular(old).size;
	try {
		const end = readEnd(old, taken, MOST_READ_BYTES + bytesKept);
		const kept = end.subarray(keptFrom(end, bytesKept));
		const bytes = Buffer.concat([keptNote(kept.length, bytesKept), kept]);
		if (writeSync(made, bytes) !== bytes.length) throw new Error("the disk is full");
		taken = copyMore(old, taken, made);
		renameSync(temporary, path);
	} catch (error) {
		unlinkSync(temporary);
		throw error;
	}
	copyMore(old, taken, made);
}

/** Takes over what was appended to the old file beyond `taken` bytes; returns how many bytes of it are taken now. */
function copyMore(old: number, taken: number, made: number): number {
	for (let now = fstatSync(old).size; now > taken; now = fstatSync(old).size) {
		writeSync(made, readEnd(old, now, now - taken));
		taken = now;
	}
	return taken;
}

function removeStale(temporary: string): void {
	const age = Date.now() - (statSync(temporary, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
	if (age > STALE_MS) unlinkSync(temporary);
}
