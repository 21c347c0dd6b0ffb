import { isUtf8 } from "node:buffer";
import { fstatSync } from "node:fs";
import { readBytes, withFile } from "../files/open-file.ts";
import { DiagnosticList } from "../format/diagnostic.ts";
import { ENTRY_FIELDS } from "../format/entry-fields.ts";
import { formOf, inUtf8 } from "../format/file-form.ts";
import { isFileId } from "../format/file-ids.ts";
import { isHookMessage, versionOf } from "../format/migrate.ts";
import { parseLine, type RawLine } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { endOfObject } from "../read/glued-objects.ts";
import { HEAD_BYTES } from "../read/line-reader.ts";
import { MAX_LOADED_LINE_BYTES } from "../read/load-file.ts";
import { readLinesSync } from "../read/read-lines.ts";

/** A line that holds a JSON object. */
export interface SourceLine {
	/** 1-based. */
	readonly number: number;
	readonly value: RawEntry;
	/** The line has bytes that are not UTF-8. */
	readonly isBroken: boolean;
}

/** One session of a file. Usually a file holds one; some programs have written several into one file. */
export interface SessionInFile {
	readonly header: SourceLine | undefined;
	/** In file order, without the header. */
	readonly entries: readonly SourceLine[];
	/** Numbers of its lines that hold no entry. */
	readonly dropped: readonly number[];
	/** Why a line was dropped, for the first ones of the file. */
	readonly reasons: ReadonlyMap<number, string>;
}

/** Further reasons are not stored, so that a huge bad file costs no memory. */
const MOST_REASONS = 1000;

/** The sessions of a file, unrepaired. Throws a `StoreError` when the file cannot be read. Nothing is written. */
export function sessionsInFile(path: string): readonly SessionInFile[] {
	const lines: SourceLine[] = [];
	const dropped: number[] = [];
	const reasons = new Map<number, string>();
	const sessionStarts = new SessionStarts();
	let headers = 0;
	const diagnostics = new DiagnosticList();
	const drop = (line: number, why: string | undefined): void => {
		dropped.push(line);
		if (why !== undefined && reasons.size < MOST_REASONS) reasons.set(line, why);
	};
	readSource(path, (line) => {
		const { number } = line;
		const problemsBefore = diagnostics.size;
		const value = parseLine(line, diagnostics);
		if (value === undefined) {
			// The last diagnostic is what made the line unusable. A blank line has none and is not missed.
			const last = diagnostics.stored.at(-1);
			if (diagnostics.size > problemsBefore) drop(number, last?.line === number ? last.message : undefined);
			return;
		}
		sessionStarts.add(value, number);
		if (value.type === "session") headers += 1;
		lines.push({ number, value, isBroken: line.bytes !== undefined && !isUtf8(line.bytes) });
	});
	const starts = sessionStarts.lines();
	if (headers > starts.length) {
		// Further headers of a session that continues.
		const isStart = new Set(starts);
		let isFirst = true;
		for (const { number, value } of lines) {
			if (value.type !== "session") continue;
			if (!isFirst && !isStart.has(number))
				drop(number, `Line ${number} is a second header; what follows continues from the entries before it.`);
			isFirst = false;
		}
		dropped.sort((a, b) => a - b);
	}
	return splitAt(starts, lines, dropped).map((session) => ({ ...session, reasons }));
}

/** Passes on the lines of a file; of one that has none (file-form.ts), its objects, as if each were a line. */
function readSource(path: string, take: (line: RawLine) => void): void {
	const read = withFile(path, (fd) => ({ head: readBytes(fd, 0, HEAD_BYTES), size: fstatSync(fd).size }));
	if (formOf(read.head.subarray(0, lineEnd(read.head, 0))) === undefined) {
		readLinesSync(path, take, MAX_LOADED_LINE_BYTES);
		return;
	}
	const bytes = inUtf8(withFile(path, (fd) => readBytes(fd, 0, read.size)));
	const hasLines = formOf(bytes.subarray(0, lineEnd(bytes, 0))) === undefined;
	let number = 0;
	for (let start = 0; start < bytes.length; ) {
		const end = hasLines ? lineEnd(bytes, start) : endOfObject(bytes, start, bytes.length);
		const line = bytes.subarray(start, end);
		number += 1;
		take({ number, offset: start, bytes: line, length: line.length, terminated: end < bytes.length });
		const next = hasLines ? end + 1 : bytes.indexOf("{", end);
		start = next === -1 ? bytes.length : next;
	}
}

function lineEnd(bytes: Buffer, start: number): number {
	const newline = bytes.indexOf("\n", start);
	return newline === -1 ? bytes.length : newline;
}

/** Divides `lines` and `dropped` by their line numbers. */
function splitAt(
	starts: readonly number[],
	lines: readonly SourceLine[],
	dropped: readonly number[],
): readonly Omit<SessionInFile, "reasons">[] {
	let line = 0;
	let drop = 0;
	return starts.map((_, session) => {
		const end = starts[session + 1] ?? Number.POSITIVE_INFINITY;
		const [firstLine, firstDrop] = [line, drop];
		while ((lines[line]?.number ?? end) < end) line += 1;
		while ((dropped[drop] ?? end) < end) drop += 1;
		const sessionLines = lines.slice(firstLine, line);
		return {
			header: sessionLines.find(({ value }) => value.type === "session"),
			entries: sessionLines.filter(({ value }) => value.type !== "session"),
			dropped: dropped.slice(firstDrop, drop),
		};
	});
}

/**
 * Finds the lines at which the sessions of a file begin. A second header begins a session of its own, unless an entry after it
 * continues from an entry before it.
 */
export class SessionStarts {
	/** Lines at which sessions begin, without the first. */
	readonly #starts: number[] = [];
	/** Ids before the open header; a list until an id is looked up, which hardly any file needs. */
	#before: unknown[] | Set<unknown> = [];
	/** A header that may begin a session, and the ids since then. */
	#open: { readonly line: number; readonly ids: Set<unknown>; goesOn: boolean } | undefined;
	#headers = 0;

	/** `number` is 1-based. */
	add({ type, id, parentId }: RawEntry, number: number): void {
		if (type === "session") {
			this.#settle();
			// Lines before the first header belong to its session: pi cannot have begun there.
			if (this.#headers++ > 0) this.#open = { line: number, ids: new Set(), goesOn: false };
			return;
		}
		if (this.#open !== undefined && isFileId(parentId) && this.#idsBefore().has(parentId)) this.#open.goesOn = true;
		if (!isFileId(id)) return;
		const ids = this.#open?.ids ?? this.#before;
		if (ids instanceof Set) ids.add(id);
		else ids.push(id);
	}

	/** The lines at which sessions begin; the first is always 1. */
	lines(): readonly number[] {
		this.#settle();
		return [1, ...this.#starts];
	}

	#idsBefore(): Set<unknown> {
		this.#before = this.#before instanceof Set ? this.#before : new Set(this.#before);
		return this.#before;
	}

	#settle(): void {
		const open = this.#open;
		if (open === undefined) return;
		this.#open = undefined;
		if (open.goesOn) for (const id of open.ids) this.#idsBefore().add(id);
		else {
			this.#starts.push(open.line);
			this.#before = open.ids;
		}
	}
}

/** Detects lines of several versions in one file: headers with a version, and entries that only an older version has. */
export class LineVersions {
	/** First line of each version found. */
	readonly #lines = new Map<number, number>();
	/** Version in the first header: the one that pi applies to all lines. */
	#version: number | undefined;

	/** `number` is 1-based. */
	add(value: RawEntry, number: number): void {
		if (value.type === "session") {
			const version = versionOf(value);
			this.#version ??= version;
			this.#note(version, number);
		} else if (isOfFirst(value)) this.#note(1, number);
		else if (isHookMessage(value)) this.#note(2, number);
	}

	/** Undefined if all lines have the same version. */
	mixed(): { readonly message: string; readonly line: number } | undefined {
		const ownVersion = this.#version ?? 1;
		// Version 1 has the form of messages of version 2, too.
		const otherVersions = [...this.#lines].filter(
			([version]) => version !== ownVersion && !(version === 2 && ownVersion === 1),
		);
		const [first] = otherVersions.toSorted((a, b) => a[1] - b[1]);
		if (first === undefined) return undefined;
		const versions = [...new Set([ownVersion, ...otherVersions.map(([version]) => version)])].sort((a, b) => a - b);
		const message = `There are lines of the versions ${versions.join(" and ")} in the file, the first of another version on line ${first[1]}.`;
		return { message, line: first[1] };
	}

	#note(version: number, number: number): void {
		if (!this.#lines.has(version)) this.#lines.set(version, number);
	}
}

/** Version 1 has neither ids nor parents. */
function isOfFirst({ type, id, parentId }: RawEntry): boolean {
	return id === undefined && parentId === undefined && typeof type === "string" && Object.hasOwn(ENTRY_FIELDS, type);
}
