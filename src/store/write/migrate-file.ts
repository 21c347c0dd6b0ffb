import { runToEnd } from "../../shared/steps.ts";
import { sameStamp } from "../files/file-stamp.ts";
import { type FileStat, type FileSystem, READ_FLAGS, realFileSystem } from "../files/file-system.ts";
import { requireRegular } from "../files/open-file.ts";
import { errorCode, StoreError, storeError } from "../files/store-error.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { migrateSteps } from "../format/migrate.ts";
import { parseLine } from "../format/parse.ts";
import { patchJson } from "../format/patch-json.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { MAX_LOADED_LINE_BYTES, tooLong } from "../read/load-file.ts";
import { readLinesSync } from "../read/read-lines.ts";
import { changedMessage } from "./append.ts";
import { replaceFile } from "./new-file.ts";

/** Attempts while another program keeps appending. */
const MAX_ATTEMPTS = 5;

/** One line as it is in the file, and its entry; undefined if it holds none. */
interface StoredLine {
	readonly bytes: Buffer;
	readonly value: RawEntry | undefined;
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
	const before = statOf(path, fs);
	const stored = readStored(path);
	const values = stored.flatMap(({ value }) => (value === undefined ? [] : [value]));
	runToEnd(migrateSteps(values));
	const ids = new Set(values.map((value) => value.id));
	if (!parentIds.every((id) => ids.has(id))) throw new StoreError(path, "changed", changedMessage(path));
	const check = () => {
		if (!sameStamp(before, statOf(path, fs))) {
			const message = `Cannot migrate the session: another program keeps writing to it; try again later. Path: ${path}`;
			throw new StoreError(path, "grown", message);
		}
	};
	return replaceFile(path, newContent(stored, lines), before.mode, "migrate the session", check, fs);
}

function readStored(path: string): StoredLine[] {
	const stored: StoredLine[] = [];
	const diagnostics = new DiagnosticList();
	readLinesSync(
		path,
		(line) => {
			if (line.bytes === undefined) throw new StoreError(path, "line-too-long", tooLong(path, line));
			stored.push({ bytes: Buffer.from(line.bytes), value: parseLine(line, diagnostics) });
		},
		MAX_LOADED_LINE_BYTES,
	);
	return stored;
}

function* newContent(stored: readonly StoredLine[], lines: readonly string[]): Generator<string | Uint8Array> {
	for (const { bytes, value } of stored) {
		const text = value === undefined ? "" : bytes.toString("utf8").replace(/^\uFEFF/, "");
		const wanted = value === undefined ? text : patchJson(text, value);
		// As bytes if nothing changes: some may not be UTF-8.
		yield wanted === text ? bytes : wanted;
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
