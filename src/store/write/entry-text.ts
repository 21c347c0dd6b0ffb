import { READ_FLAGS, realFileSystem } from "../files/file-system.ts";
import { storeError } from "../files/store-error.ts";
import { isObject, type RawEntry } from "../format/parse.ts";
import { patchJson } from "../format/patch-json.ts";
import type { FileEntry } from "../format/schema.ts";
import type { Span, Spans } from "../read/byte-spans.ts";

/** An entry to be written, and the entry in the source that it was made from. */
export interface Copy {
	readonly entry: FileEntry;
	readonly original: FileEntry;
}

const NEWLINE = Buffer.from("\n");

/** One line of a session file, with its `\n`. */
export function lineOf(entry: FileEntry): string {
	return `${JSON.stringify(entry)}\n`;
}

/**
 * The lines of entries that are copied from a file: each is the text of the file, except for the fields that were
 * changed. Entries that are not in the file, or no longer where they were read, are printed anew.
 * `migrated`: the entries in memory differ from those in the file, which is of an older version.
 */
export function* copiedLines(
	path: string,
	copies: Iterable<Copy>,
	spans: Spans,
	migrated: boolean,
): Generator<string | Uint8Array> {
	const fd = openSource(path);
	try {
		for (const { entry, original } of copies) {
			const span = spans.get(original);
			const bytes = span === undefined ? Buffer.alloc(0) : readBytes(fd, span);
			const text = bytes
				.toString("utf8")
				.replace(/^\uFEFF/, "")
				.trim();
			if (!mayBeTextOf(text, original)) yield lineOf(entry);
			// As bytes where nothing changes: some may not be UTF-8.
			else if (entry === original && !migrated) yield Buffer.concat([bytes, NEWLINE]);
			else yield isTextOf(text, original) ? `${patchJson(text, fields(entry))}\n` : lineOf(entry);
		}
	} finally {
		realFileSystem.close(fd);
	}
}

/** A quick check that the source was not rewritten since it was read; entries of version 1 have no id to look for. */
function mayBeTextOf(text: string, original: FileEntry): boolean {
	if (!text.startsWith("{") || !text.endsWith("}")) return false;
	return text.includes(JSON.stringify(original.id)) || !text.includes('"id"');
}

function openSource(path: string): number {
	try {
		return realFileSystem.open(path, READ_FLAGS);
	} catch (error) {
		throw storeError(path, "copy from the session", error);
	}
}

function readBytes(fd: number, span: Span): Buffer {
	const bytes = Buffer.alloc(span.length);
	let length = 0;
	while (length < span.length) {
		const read = realFileSystem.read(fd, bytes.subarray(length), span.offset + length);
		if (read === 0) break;
		length += read;
	}
	return bytes.subarray(0, length);
}

/** The source may have been rewritten since it was read. The id may come from the migration. */
function isTextOf(text: string, original: FileEntry): boolean {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		// Not the line that was read; the entry is printed from memory.
		return false;
	}
	if (!isObject(value) || value.type !== original.type) return false;
	return value.id === undefined || typeof value.id !== "string" || value.id === original.id;
}

function fields(entry: FileEntry): RawEntry {
	return { ...entry };
}
