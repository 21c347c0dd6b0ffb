import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileSystem } from "../../src/store/files/file-system.ts";
import { appendLines, migrateAndAppend } from "../../src/store/write/append.ts";
import { writeNewFile } from "../../src/store/write/new-file.ts";

/** One way in which the store writes. */
export interface WriteCase {
	/** Puts the file as it is before into the directory; returns the path that is written to. */
	readonly prepare: (directory: string) => string;
	readonly write: (path: string, fs: FileSystem) => void;
	/** The whole content afterwards. */
	readonly after: (before: string | undefined) => string;
}

// Not from fixture.ts: this file is also loaded by a process without Vitest.
const fixtureDir = join(import.meta.dirname, "../../fixtures");
const line =
	'{"type":"session_info","id":"ffff0001","parentId":"ffff0000","timestamp":"2026-01-05T10:00:00.000Z","name":"n"}';
const other = line.replace("ffff0001", "ffff0002");

function copyTo(directory: string, fixture: string): string {
	const path = join(directory, "session.jsonl");
	writeFileSync(path, readFileSync(join(fixtureDir, fixture)));
	return path;
}

/** Every way in which the store writes, by name. */
export const WRITE_CASES: Readonly<Record<string, WriteCase>> = {
	"append one line": {
		prepare: (directory) => copyTo(directory, "linear-v3.jsonl"),
		write: (path, fs) => appendLines(path, [line], 0, fs),
		after: (before) => `${before}${line}\n`,
	},
	"append two lines to a file without a newline at its end": {
		prepare: (directory) => copyTo(directory, "no-final-newline.jsonl"),
		write: (path, fs) => appendLines(path, [line, other], 0, fs),
		after: (before) => `${before}\n${line}\n${other}\n`,
	},
	"make a new file": {
		prepare: (directory) => join(directory, "session.jsonl"),
		write: (path, fs) => writeNewFile(path, [`${line}\n`, `${other}\n`], "create the session", { fs }),
		after: () => `${line}\n${other}\n`,
	},
	"migrate and append": {
		prepare: (directory) => copyTo(directory, "v2.jsonl"),
		write: (path, fs) => migrateAndAppend(path, [line], ["a2000003"], fs),
		after: (before) => `${before?.replace('"version":2', '"version":3').replace('"hookMessage"', '"custom"')}${line}\n`,
	},
};
