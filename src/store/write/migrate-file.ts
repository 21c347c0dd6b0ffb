import { runToEnd } from "../../shared/steps.ts";
import { type FileStat, type FileSystem, READ_FLAGS, realFileSystem } from "../files/file-system.ts";
import { errorCode, StoreError, storeError } from "../files/store-error.ts";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { retext } from "../format/json-text.ts";
import { migrateSteps } from "../format/migrate.ts";
import { parseLine, type RawEntry } from "../format/parse.ts";
import { readLinesSync, tooLong } from "../read/load-file.ts";
import { changedMessage } from "./append.ts";
import { replaceFile } from "./new-file.ts";

/** How often the work is begun again when another program appends meanwhile. */
const ATTEMPTS = 5;

/** One line as it stands in the file, and the object in it; undefined when it holds no entry. */
interface StoredLine {
	readonly bytes: Buffer;
	readonly value: RawEntry | undefined;
}

/**
 * Brings a file of an older version up to date and appends lines to it: the whole new content goes into a temporary
 * file, is synced, and takes the old one's place. Lines that hold no entry are kept byte for byte, and of the others
 * everything that the migration does not change. `parentIds`: entries that the new lines hang on; when the file no
 * longer has them it was rewritten by another program, and nothing is done.
 * Throws a `StoreError`; the file is then as it was. Returns the new size in bytes.
 */
export function migrateAndAppend(
	path: string,
	lines: readonly string[],
	parentIds: readonly string[],
	fs: FileSystem = realFileSystem,
): number {
	try {
		const real = fs.realpath(path);
		for (let attempt = 1; ; attempt += 1) {
			try {
				return attemptMigration(real, lines, parentIds, fs);
			} catch (error) {
				if (errorCode(error) !== "grown" || attempt === ATTEMPTS) throw error;
			}
		}
	} catch (error) {
		throw storeError(path, "migrate the session", error);
	}
}

function attemptMigration(
	path: string,
	lines: readonly string[],
	parentIds: readonly string[],
	fs: FileSystem,
): number {
	const before = statOf(path, fs);
	const kept = readStored(path);
	const values = kept.flatMap(({ value }) => (value === undefined ? [] : [value]));
	runToEnd(migrateSteps(values));
	const ids = new Set(values.map((value) => value.id));
	if (!parentIds.every((id) => ids.has(id))) throw new StoreError(path, "changed", changedMessage(path));
	const check = () => {
		if (!sameFile(before, statOf(path, fs))) {
			const message = `Cannot migrate the session ${path}: another program keeps writing to it; try again later.`;
			throw new StoreError(path, "grown", message);
		}
	};
	return replaceFile(path, newContent(kept, lines), before.mode, "migrate the session", check, fs);
}

function readStored(path: string): StoredLine[] {
	const kept: StoredLine[] = [];
	const diagnostics = new DiagnosticList();
	readLinesSync(path, (line) => {
		if (line.bytes === undefined) throw new StoreError(path, "line-too-long", tooLong(path, line));
		kept.push({ bytes: Buffer.from(line.bytes), value: parseLine(line, diagnostics) });
		return true;
	});
	return kept;
}

function* newContent(kept: readonly StoredLine[], lines: readonly string[]): Generator<string | Uint8Array> {
	for (const { bytes, value } of kept) {
		const text = value === undefined ? "" : bytes.toString("utf8").replace(/^\uFEFF/, "");
		const wanted = value === undefined ? text : retext(text, value);
		// As bytes where nothing changes: there may be some that are no UTF-8.
		yield wanted === text ? bytes : wanted;
		yield "\n";
	}
	for (const line of lines) yield `${line}\n`;
}

function statOf(path: string, fs: FileSystem): FileStat {
	const fd = fs.open(path, READ_FLAGS);
	try {
		return fs.stat(fd);
	} finally {
		fs.close(fd);
	}
}

function sameFile(a: FileStat, b: FileStat): boolean {
	return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}
