import { printJson } from "../../shared/print-json.ts";
import { realFileSystem } from "../files/file-system.ts";
import { openFile } from "../files/open-file.ts";
import { storeError } from "../files/store-error.ts";
import { type FileIds, isFileId } from "../format/file-ids.ts";
import { isSessionEntry } from "../format/known-types.ts";
import { isObject } from "../format/parse.ts";
import { patchJson } from "../format/patch-json.ts";
import type { FileEntry } from "../format/schema.ts";
import type { Span, Spans } from "../read/byte-spans.ts";

/** An entry to be written, and the entry in the source that it was made from. */
export interface Copy {
	readonly entry: FileEntry;
	readonly original: FileEntry;
}

const NEWLINE = Buffer.from("\n");

/** The file that entries are copied from. */
export interface CopySource {
	readonly path: string;
	readonly spans: Spans;
	readonly ids: FileIds;
	/** The entries in memory differ from those in the file, which is of an older version. */
	readonly isOutdated: boolean;
}

/** One line of a session file, with its `\n`. */
export function lineOf(entry: object): string {
	return `${printJson(entry)}\n`;
}

/**
 * The lines of entries that are copied from a file: each is the text of the file, except for the fields that were
 * changed; an entry that has no id there gets one. Entries that are not in the file, or no longer where they were read,
 * are printed anew.
 */
export function* copiedLines(
	{ path, spans, ids, isOutdated }: CopySource,
	copies: Iterable<Copy>,
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
			const isSame = entry === original && !isOutdated && !(isSessionEntry(original) && ids.isCompleted(original));
			// As bytes where nothing changes: some may not be UTF-8.
			if (isSame && namesItself(text, original, ids)) yield Buffer.concat([bytes, NEWLINE]);
			else if (!isTextOf(text, original, ids)) yield lineOf(ids.toFile(entry));
			else yield isSame ? Buffer.concat([bytes, NEWLINE]) : `${patchJson(text, ids.toFile(entry))}\n`;
		}
	} finally {
		realFileSystem.close(fd);
	}
}

/** A quick check that the source was not rewritten since it was read. */
function namesItself(text: string, { id }: FileEntry, ids: FileIds): boolean {
	return text.startsWith("{") && text.endsWith("}") && text.includes(JSON.stringify(ids.inFile(id)));
}

function openSource(path: string): number {
	try {
		return openFile(path).fd;
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

/** Whether this is the line that was read; its id may have been given to it in memory. */
function isTextOf(text: string, original: FileEntry, ids: FileIds): boolean {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		// Not the line that was read; the entry is printed from memory.
		return false;
	}
	if (!isObject(value) || value.type !== original.type) return false;
	return !isFileId(value.id) || value.id === ids.inFile(original.id);
}
