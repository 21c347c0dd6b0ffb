import { hash } from "node:crypto";
import { constants } from "node:fs";
import { runToEnd } from "../../shared/steps.ts";
import { type FileStat, type FileSystem, READ_FLAGS, realFileSystem, sameStamp } from "../files/file-system.ts";
import { requireRegular } from "../files/open-file.ts";
import { cannot, errorCode, type StoreError, storeError } from "../files/store-error.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { migrateSteps } from "../format/migrate.ts";
import { parseLine } from "../format/parse.ts";
import { patchJson } from "../format/patch-json.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { MAX_LOADED_LINE_BYTES, tooLong } from "../read/load-file.ts";
import { readLinesSync } from "../read/read-lines.ts";
import { replaceFile } from "./new-file.ts";

const NEWLINE = 0x0a;

/**
 * Appends whole lines to a session file with one write, after a `\n` if the file does not end in one. Existing bytes
 * are never overwritten. When the write fails halfway, the part that was written is removed again.
 * Throws a `StoreError`; the file is then as it was. `minimumSize`: a shorter file was replaced by another program.
 * Returns the file's size in bytes after the write, without what other programs append meanwhile.
 */
export function appendLines(
	path: string,
	lines: readonly string[],
	minimumSize = 0,
	fs: FileSystem = realFileSystem,
): number {
	if (lines.length === 0) throw new Error(`Nothing to append to ${path}.`);
	try {
		// Without O_CREAT: if the file was deleted meanwhile, a new one with only these lines would not be a session.
		const fd = fs.open(path, constants.O_RDWR | constants.O_APPEND | (constants.O_NONBLOCK ?? 0));
		try {
			const { size, mode } = fs.stat(fd);
			requireRegular(path, mode, "append to the session");
			if (size < minimumSize) throw replaced(path);
			const text = `${lines.join("\n")}\n`;
			const bytes = Buffer.from(endsInNewline(fd, size, fs) ? text : `\n${text}`);
			appendWhole(fd, bytes, size, path, fs);
			return size + bytes.length;
		} finally {
			fs.close(fd);
		}
	} catch (error) {
		throw storeError(path, "append to the session", error);
	}
}

function endsInNewline(fd: number, size: number, fs: FileSystem): boolean {
	if (size === 0) return true;
	const last = Buffer.alloc(1);
	return fs.read(fd, last, size - 1) === 1 && last[0] === NEWLINE;
}

function appendWhole(fd: number, bytes: Buffer, sizeBefore: number, path: string, fs: FileSystem): void {
	let written = 0;
	try {
		// Usually one write; if it was short, the next one fails with the reason.
		while (written < bytes.length) written += fs.write(fd, bytes.subarray(written));
	} catch (error) {
		if (written > 0) undoPartialWrite(fd, sizeBefore, written, path, fs);
		throw error;
	}
}

function undoPartialWrite(fd: number, sizeBefore: number, written: number, path: string, fs: FileSystem): void {
	// Only our own bytes: if another program has appended meanwhile, the partial line stays, and readers skip it.
	if (fs.stat(fd).size !== sizeBefore + written) {
		const why =
			"the disk is full, and another program wrote to it at the same time; a partial line was left at its end, which readers skip";
		throw cannot("append to the session", path, "half-line", why);
	}
	fs.truncate(fd, sizeBefore);
}

function replaced(path: string): StoreError {
	const why = "another program has replaced it since it was read; open it again";
	return cannot("append to the session", path, "changed", why);
}

/** Attempts while another program keeps appending. */
const MAX_ATTEMPTS = 5;

/** One line as it is in the file, and its entry; undefined if it holds none. */
interface StoredLine {
	readonly bytes: Buffer;
	readonly value: RawEntry | undefined;
	/** Whether it is equal to an earlier line, whose entry it shares: migrated alike, both stay equal. */
	readonly isRepeated: boolean;
}

/**
 * Migrates a file of an older version and appends lines to it: the whole new content goes into a temporary file, is
 * synced, and replaces the old file. Lines without an entry stay as they are, byte for byte; in the others only what
 * the migration changes is reprinted. `parentIds`: the parents of the new lines, by their ids in the file; if one is gone,
 * another program has rewritten the file, and nothing is done.
 * Throws a `StoreError`; the file is then unchanged. Returns the new size in bytes.
 */
export function migrateAndAppend(
	path: string,
	lines: readonly string[],
	parentIds: readonly unknown[],
	fs: FileSystem = realFileSystem,
): number {
	try {
		const real = fs.realpath(path);
		for (let attempt = 1; ; attempt += 1) {
			try {
				return attemptMigration(real, lines, parentIds, fs);
			} catch (error) {
				if (errorCode(error) !== "grown" || attempt === MAX_ATTEMPTS) throw error;
			}
		}
	} catch (error) {
		throw storeError(path, "migrate the session", error);
	}
}

function attemptMigration(
	path: string,
	lines: readonly string[],
	parentIds: readonly unknown[],
	fs: FileSystem,
): number {
	const statBefore = statOf(path, fs);
	const stored = readStored(path);
	const values = stored.flatMap(({ value, isRepeated }) => (value === undefined || isRepeated ? [] : [value]));
	runToEnd(migrateSteps(values));
	const ids = new Set(values.map((value) => value.id));
	if (!parentIds.every((id) => ids.has(id))) throw replaced(path);
	const check = () => {
		if (!sameStamp(statBefore, statOf(path, fs))) {
			const why = "another program keeps writing to it; try again later";
			throw cannot("migrate the session", path, "grown", why);
		}
	};
	return replaceFile(path, newContent(stored, lines), statBefore.mode, "migrate the session", check, fs);
}

function readStored(path: string): StoredLine[] {
	const stored: StoredLine[] = [];
	const entries = new Map<string, RawEntry | undefined>();
	const diagnostics = new DiagnosticList();
	readLinesSync(
		path,
		(line) => {
			if (line.bytes === undefined) throw tooLong(path, line);
			const bytes = Buffer.from(line.bytes);
			const isRepeated = line.isRepeated === true;
			const digest = hash("sha256", bytes);
			const value = isRepeated ? entries.get(digest) : parseLine(line, diagnostics);
			entries.set(digest, value);
			stored.push({ bytes, value, isRepeated });
		},
		MAX_LOADED_LINE_BYTES,
	);
	return stored;
}

function* newContent(stored: readonly StoredLine[], lines: readonly string[]): Generator<string | Uint8Array> {
	for (const { bytes, value } of stored) {
		const text = value === undefined ? "" : bytes.toString("utf8").replace(/^\uFEFF/, "");
		const newText = value === undefined ? text : patchJson(text, value);
		// As bytes if nothing changes: some may not be UTF-8.
		yield newText === text ? bytes : newText;
		yield "\n";
	}
	for (const line of lines) yield `${line}\n`;
}

function statOf(path: string, fs: FileSystem): FileStat {
	const fd = fs.open(path, READ_FLAGS);
	try {
		const stat = fs.stat(fd);
		requireRegular(path, stat.mode, "migrate the session");
		return stat;
	} finally {
		fs.close(fd);
	}
}
