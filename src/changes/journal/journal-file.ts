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

/**
 * Writes the journal, and other files of lines. Each line is appended in one write, so that several programs can share the
 * file. All calls are synchronous, because they are few and short and nothing may come in between.
 */

/**
 * A longer journal is cut to half of this when it is written to, unless the last cut had to leave that much: no one reads
 * the more than 100,000 changes that it holds.
 */
const MAX_BYTES = 64 * 1024 * 1024;
/** How far back the beginning of a group is searched for: a group of more than 10,000 sessions. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
/** A cut that began longer ago than this was killed. */
const STALE_MS = 60_000;
/** A file system may report another inode each time. A line that is written twice is harmless. */
const MAX_TRIES = 3;
const NEWLINE = 0x0a;
const NEVER_WAIT = constants.O_NONBLOCK ?? 0;

/**
 * Appends one line. Creates the file and its directory if need be, readable by their owner only. A line that was cut off
 * before it stays a line of its own. Throws if the line cannot be written.
 */
export function appendWholeLine(path: string, line: string): void {
	openDirectory(dirname(path));
	for (let tries = 0; tries < MAX_TRIES && !tryAppend(path, line); ) tries += 1;
}

/** The same for the journal, which is cut once it is longer than `maxBytes`. */
export function appendLine(path: string, line: string, maxBytes = MAX_BYTES): void {
	appendWholeLine(path, line);
	cutIfLong(path, maxBytes);
}

function openDirectory(directory: string): void {
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	makePrivate(directory, statSync(directory), 0o700);
}

/** Returns false if another program has replaced the file meanwhile, so that the line is not in it. */
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

/** Removes the permissions of others; if that is not permitted, they stay as they were. */
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
 * Replaces a long file by its end. Only one program at a time can create the new file under its temporary name. What another
 * program appends to the old file meanwhile is copied, or that program sees that the file was replaced and writes again.
 */
function cutIfLong(path: string, maxBytes: number): void {
	const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
	if (size <= maxBytes) return;
	const temporary = `${path}.cut`;
	try {
		if (size > longest(path, maxBytes)) cut(path, temporary, maxBytes);
	} catch (error) {
		// The line is written. Another program may be cutting; if not, the next call tries again.
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

/** A cut under way: `made` and `old` are the descriptors of the new file and of the old one. */
interface Cut {
	readonly path: string;
	readonly temporary: string;
	readonly made: number;
	readonly old: number;
}

function putInPlace({ path, temporary, made, old }: Cut, bytesKept: number): void {
	let taken = regular(old).size;
	try {
		const end = readEnd(old, taken, MAX_READ_BYTES + bytesKept);
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

/** Copies what was appended to the old file beyond `taken` bytes; returns how many of its bytes are in the new one now. */
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

/** Offset of the first line to keep: within the last `bytes` bytes, or where the group begins that they begin in. */
function keptFrom(journal: Buffer, bytes: number): number {
	const from = journal.indexOf(NEWLINE, Math.max(0, journal.length - bytes - 1)) + 1;
	const id = firstGroup(journal.subarray(from).toString("utf8"));
	const first = id === undefined ? -1 : journal.indexOf(groupMark(id));
	return first === -1 ? from : Math.min(from, journal.lastIndexOf(NEWLINE, first) + 1);
}

/** Id of the first group that a "begin" line belongs to; the group may have begun before. */
function firstGroup(text: string): string | undefined {
	const id = /^\{"step":"begin".*"group":\{"id":("[^"]*")/m.exec(text)?.[1];
	return id === undefined ? undefined : JSON.parse(id);
}

function groupMark(id: string): string {
	return `"group":{"id":${JSON.stringify(id)}`;
}

/** First line after a cut that kept more than usual, so that the next line does not cut it again; readers skip it. */
function keptNote(bytes: number, usual: number): Buffer {
	return Buffer.from(bytes > usual ? `${JSON.stringify({ step: "kept", bytes })}\n` : "");
}

/** How long the file was after the last cut, from its first bytes; 0 if it does not say. */
function lengthAfterCut(start: Buffer): number {
	return Number(/^\{"step":"kept","bytes":(\d{1,15})\}\n/.exec(start.toString("utf8"))?.[1] ?? 0);
}
