import { constants } from "node:buffer";
import { existsSync } from "node:fs";
import { expandPath } from "../../shared/paths.ts";
import { runToEnd } from "../../shared/steps.ts";
import { readBytes, withFile } from "../files/open-file.ts";
import { cannot, StoreError } from "../files/store-error.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { type FileIds, nameIdsSteps } from "../format/file-ids.ts";
import { type Migration, migrateSteps } from "../format/migrate.ts";
import { parseLine, type RawLine } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import type { FileEntry } from "../format/schema.ts";
import { type FileLine, rawLine, readLinesSteps } from "./line-reader.ts";
import { outlineEntry, sniffOutline } from "./outline.ts";

/** A session file in memory, migrated. */
export interface LoadedFile {
	/** The header first; then all lines that hold a JSON object, in file order. */
	readonly entries: FileEntry[];
	/** The bytes that each entry was read from. */
	readonly spans: LineSpans;
	readonly migration: Migration;
	/** The ids of the entries in the file, once it is of the present version. */
	readonly ids: FileIds;
	/** In bytes. */
	readonly size: number;
	/** Whether the entries are outlines (outline.ts), without their texts. */
	readonly isOutline: boolean;
	/** Number of lines that hold no entry, and are not blank. */
	readonly unusable: number;
}

/** To change a session, even its longest lines are read, up to the longest possible string: copies must not lose any. */
export const MAX_LOADED_LINE_BYTES = constants.MAX_STRING_LENGTH;

/**
 * Loads a session for changing it. Undefined if the file is empty. Throws a `StoreError` when it cannot be read
 * or is not a session: its first entry must be a header with an `id`, as in pi. Nothing is written.
 */
export function loadFile(path: string): LoadedFile | undefined {
	return loaded(path, readValues(path, "whole"));
}

/**
 * Loads only the outlines of the entries, so that memory grows only with their number. A message of more than MAX_LINE_BYTES is
 * recognized by the first and last bytes of its line, even if that is longer than a string can be. `sniff`: all messages are
 * recognized like this, without parsing their lines; before an entry is referred to it must then be checked (`readEntryAt`),
 * and nothing may be copied.
 */
export function loadOutline(path: string, { sniff = false } = {}): LoadedFile | undefined {
	return loaded(path, readValues(path, sniff ? "sniffed" : "outline"));
}

/** What is kept of an entry; "sniffed": an outline, for messages without parsing their lines. */
type EntryForm = "whole" | "outline" | "sniffed";

interface ReadValues {
	readonly form: EntryForm;
	readonly values: RawEntry[];
	readonly spans: ByteSpans;
	/** Of the file, in bytes. */
	readonly size: number;
	readonly unusable: number;
}

/** Reads the JSON objects of a file and their spans; oddities are reported when the session is shown. */
function readValues(path: string, form: EntryForm): ReadValues {
	const values: RawEntry[] = [];
	const spans = new ByteSpans(values);
	const diagnostics = new DiagnosticList();
	let number = 0;
	const parsed = (fd: number, line: FileLine): RawEntry | undefined => {
		const raw = rawLine(line, number);
		if (line.length > MAX_LOADED_LINE_BYTES) {
			// A copy would lose the line; appending an entry does not.
			if (form === "sniffed") return undefined;
			throw tooLong(path, raw);
		}
		const value = parseLine({ ...raw, bytes: raw.bytes ?? readBytes(fd, line.offset, line.length) }, diagnostics);
		return value && form !== "whole" ? outlineEntry(value) : value;
	};
	const add = (fd: number, line: FileLine): true => {
		number += 1;
		const { bytes, start, end, offset, length, whole, isRepeated } = line;
		const isSniffed = !isRepeated && (form === "sniffed" || (form === "outline" && !whole));
		const value = (isSniffed ? sniffOutline(bytes, start, end) : undefined) ?? parsed(fd, line);
		if (value === undefined) return true;
		values.push(value);
		spans.add(offset, length);
		return true;
	};
	const lineOptions = form === "sniffed" ? { wanted: () => false } : {};
	const size = withFile(path, (fd) =>
		runToEnd(readLinesSteps(fd, { ...lineOptions, onLine: (line) => add(fd, line) })),
	);
	const totals = diagnostics.totals();
	const unusable = UNUSABLE.reduce((sum, code) => sum + (totals.get(code) ?? 0), 0);
	return { form, values, spans, size, unusable };
}

/** What is reported of a line from which no entry was read. */
const UNUSABLE = ["bad-line", "torn-tail", "line-too-long"] as const;

function loaded(path: string, { form, values, spans, size, unusable }: ReadValues): LoadedFile | undefined {
	if (size === 0) return undefined;
	if (!isSession(values)) {
		// Begins with pi's own words, which programs may look for.
		const message = `Session file is not a valid pi session: ${path}. Its first entry is not a header with an id. It was left as it is.`;
		throw new StoreError(path, "not-a-session", message, undefined, NOT_A_SESSION);
	}
	const migration = runToEnd(migrateSteps(values));
	// Ids that an old file lacks are written when it is migrated, before anything else.
	const ids = runToEnd(nameIdsSteps(values, migration.isOutdated ? [] : migration.withoutId));
	return { entries: asEntries(values), spans, migration, ids, size, isOutline: form !== "whole", unusable };
}

/**
 * The entries of a session file, header first, like pi's function of this name: not migrated, without bad lines; empty
 * if there is no such file or it is not a session. Unlike pi's function it never writes.
 */
export function loadEntriesFromFile(filePath: string): FileEntry[] {
	const path = expandPath(filePath);
	if (!existsSync(path)) return [];
	const { values } = readValues(path, "whole");
	return isSession(values) ? asEntries(values) : [];
}

/** The entry in a line as it stands in the file; undefined if there is none, or it is longer than a string can be. */
export function readEntryAt(path: string, { offset, length }: LineSpan): RawEntry | undefined {
	if (length > MAX_LOADED_LINE_BYTES) return undefined;
	return withFile(path, (fd) => {
		const bytes = readBytes(fd, offset, length);
		return parseLine({ number: offset === 0 ? 1 : 2, offset, bytes, length, terminated: true }, new DiagnosticList());
	});
}

/** Whether pi would open it: the first entry is a header with a string as `id`. */
function isSession(values: readonly RawEntry[]): boolean {
	const [first] = values;
	return first !== undefined && first.type === "session" && typeof first.id === "string";
}

/** The error for a line that is longer than a JavaScript string can be. */
export function tooLong(path: string, { number, length }: RawLine): StoreError {
	const why = `line ${number} has ${length} bytes, more than can be read at once`;
	return cannot("open the session", path, "line-too-long", why);
}

export function emptySession(path: string): StoreError {
	const message = `There is no session in the file: it is empty. Path: ${path}`;
	return new StoreError(path, "not-a-session", message, undefined, "the file is empty");
}

/** The reason alone, for messages that name the session. */
const NOT_A_SESSION = "its first entry is not a header with an id, so pi could not open it; it was left as it is";

function asEntries(values: RawEntry[]): FileEntry[] {
	// As in pi, a file is not validated when it is opened for changes: its content must survive unchanged.
	return values as unknown as FileEntry[];
}

/** The bytes of a line in its file, without its `\n`. */
export interface LineSpan {
	readonly offset: number;
	readonly length: number;
}

/** Finds the bytes that an entry was read from. */
export interface LineSpans {
	get(entry: object): LineSpan | undefined;
}

/**
 * The spans of the entries of one file. Stored as plain numbers and indexed only when something is copied: a map of a
 * hundred thousand entries, especially a weak one, slows down every garbage collection.
 */
class ByteSpans implements LineSpans {
	readonly #entries: readonly object[];
	readonly #offsets: number[] = [];
	readonly #lengths: number[] = [];
	#indexes: Map<object, number> | undefined;

	/** `entries`: in file order; the array may grow while their spans are added. */
	constructor(entries: readonly object[]) {
		this.#entries = entries;
	}

	add(offset: number, length: number): void {
		this.#offsets.push(offset);
		this.#lengths.push(length);
	}

	get(entry: object): LineSpan | undefined {
		this.#indexes ??= new Map(this.#entries.map((entry, index) => [entry, index]));
		const index = this.#indexes.get(entry);
		const offset = index === undefined ? undefined : this.#offsets[index];
		const length = index === undefined ? undefined : this.#lengths[index];
		return offset === undefined || length === undefined ? undefined : { offset, length };
	}
}
