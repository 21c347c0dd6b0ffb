import { isUtf8 } from "node:buffer";
import { DiagnosticList } from "../format/diagnostic.ts";
import { parseLine } from "../format/parse.ts";
import type { RawEntry } from "../format/raw-entry.ts";
import { MAX_LOADED_LINE_BYTES } from "../read/load-file.ts";
import { readLinesSync } from "../read/read-lines.ts";
import { SessionStarts } from "./session-starts.ts";

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
	/** Undefined if the file has no header. */
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
	readLinesSync(
		path,
		(line) => {
			const { number } = line;
			const before = diagnostics.size;
			const value = parseLine(line, diagnostics);
			if (value === undefined) {
				// The last diagnostic is what made the line unusable. A blank line has none and is not missed.
				const last = diagnostics.stored.at(-1);
				if (diagnostics.size > before) drop(number, last?.line === number ? last.message : undefined);
				return;
			}
			sessionStarts.add(value, number);
			if (value.type === "session") headers += 1;
			lines.push({ number, value, isBroken: line.bytes !== undefined && !isUtf8(line.bytes) });
		},
		MAX_LOADED_LINE_BYTES,
	);
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
		const own = lines.slice(firstLine, line);
		return {
			header: own.find(({ value }) => value.type === "session"),
			entries: own.filter(({ value }) => value.type !== "session"),
			dropped: dropped.slice(firstDrop, drop),
		};
	});
}
