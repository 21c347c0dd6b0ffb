import { constants } from "node:buffer";
import { closeSync } from "node:fs";
import { isObject, printJson } from "../../shared/json.ts";
import { openFile, readBytes } from "../files/open-file.ts";
import { cannot, type StoreError, storeError } from "../files/store-error.ts";
import { type FileIds, isFileId } from "../format/file-ids.ts";
import { parseJson } from "../format/parse.ts";
import { patchJson } from "../format/patch-json.ts";
import { isSessionEntry, type RawEntry } from "../format/raw-entry.ts";
import type { FileEntry } from "../format/schema.ts";
import type { LineSpan, LineSpans } from "../read/load-file.ts";
import { completed } from "../read/outline.ts";
import type { EntryCopy } from "../tree/branch-path.ts";

const NEWLINE = Buffer.from("\n");

interface CopySource {
	readonly path: string;
	readonly spans: LineSpans;
	readonly ids: FileIds;
	/** Whether the file is of an older version, so that the entries in memory differ from those in the file. */
	readonly isOutdated: boolean;
	/** Whether the entries in memory are outlines, whose texts are only in the file. */
	readonly isOutline?: boolean;
}

/** Longer lines are copied in parts of this size. */
const PART_BYTES = 1024 * 1024;
/** How much is checked at each end of such a line. */
const END_BYTES = 4096;

/** One line of a session file, with its `\n`. */
export function lineOf(entry: object): string {
	return `${printJson(entry)}\n`;
}

/**
 * The lines of entries that are copied from a file: the text of the file, except for fields that were changed; an entry
 * without an id in the file gets one. Entries that are not in the file, or no longer where they were read, are printed from
 * memory.
 */
export function* copiedLines(source: CopySource, copies: Iterable<EntryCopy>): Generator<string | Uint8Array> {
	const { path, spans, ids, isOutdated } = source;
	const fd = openSource(path);
	try {
		for (const { entry, original } of copies) {
			const span = spans.get(original);
			if (span !== undefined && span.length > PART_BYTES && isAsInFile(source, entry, original)) {
				const { offset, length } = span;
				const ends = [readBytes(fd, offset, END_BYTES), readBytes(fd, offset + length - END_BYTES, END_BYTES)];
				const text = Buffer.concat(ends).toString("latin1").trim();
				if (namesItself(text, original, ids)) {
					yield* longLine(fd, span);
					continue;
				}
			}
			if (span !== undefined && span.length > constants.MAX_STRING_LENGTH) throw tooLong(path, original, span);
			const bytes = span === undefined ? Buffer.alloc(0) : readBytes(fd, span.offset, span.length);
			const text = bytes
				.toString("utf8")
				.replace(/^\uFEFF/, "")
				.trim();
			const isSame = isAsInFile(source, entry, original);
			// As bytes if nothing changes: some may not be UTF-8.
			if (isSame && namesItself(text, original, ids)) yield Buffer.concat([bytes, NEWLINE]);
			else {
				const value = entryIn(text, original, ids);
				if (source.isOutline && value === undefined) throw replaced(path);
				if (value === undefined) yield lineOf(ids.toFile(entry));
				else if (isSame) yield Buffer.concat([bytes, NEWLINE]);
				else {
					const whole = source.isOutline ? completed({ ...entry }, value, isOutdated) : entry;
					yield `${patchJson(text, ids.toFile(whole))}\n`;
				}
			}
		}
	} finally {
		closeSync(fd);
	}
}

/** Whether an entry can be copied exactly as it stands in the file. */
function isAsInFile({ isOutdated, ids }: CopySource, entry: FileEntry, original: FileEntry): boolean {
	return entry === original && !isOutdated && !(isSessionEntry(original) && ids.isCompleted(original));
}

function tooLong(path: string, { id }: FileEntry, { length }: LineSpan): StoreError {
	const reason = `the line of the entry ${id} would have to be changed, and its ${length} bytes are more than can be read at once`;
	return cannot("copy from the session", path, "line-too-long", reason);
}

function replaced(path: string): StoreError {
	const reason = "another program has replaced it since it was read; try again";
	return cannot("copy from the session", path, "changed", reason);
}

function* longLine(fd: number, { offset, length }: LineSpan): Generator<Uint8Array> {
	for (let at = 0; at < length; at += PART_BYTES) yield readBytes(fd, offset + at, Math.min(PART_BYTES, length - at));
	yield NEWLINE;
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

/** The parsed line; undefined if the file now holds another one. An entry without an id in the file may match. */
function entryIn(text: string, original: FileEntry, ids: FileIds): RawEntry | undefined {
	const value = parseJson(text);
	if (!isObject(value) || value.type !== original.type) return undefined;
	return !isFileId(value.id) || value.id === ids.inFile(original.id) ? value : undefined;
}
