import { isUtf8 } from "node:buffer";
import { DiagnosticList } from "../format/diagnostic-list.ts";
import { parseLine, type RawEntry } from "../format/parse.ts";
import { MAX_LOADED_LINE_BYTES } from "../read/load-file.ts";
import { readLinesSync } from "../read/read-lines.ts";
import { PartFinder } from "./part-finder.ts";

/** A line of a file that holds a JSON object. */
export interface PartLine {
	/** 1-based. */
	readonly number: number;
	readonly value: RawEntry;
	/** It has bytes that are not UTF-8. */
	readonly isBroken: boolean;
}

/** One session of a file. Mostly a file is one; some programs have written several into one file. */
export interface Part {
	/** Undefined where the file has none. */
	readonly header: PartLine | undefined;
	/** In file order, without the header. */
	readonly entries: readonly PartLine[];
	/** Lines among them that hold no entry, by their number, and the reasons of the first of the file. */
	readonly dropped: readonly number[];
	readonly reasons: ReadonlyMap<number, string>;
}

/** Reasons that are stored; each further line is only counted, so that a huge bad file costs no memory. */
const MOST_REASONS = 1000;

/**
 * The sessions of a file, as they are written. Throws a `StoreError` when the file cannot be read. Nothing is written.
 */
export function readParts(path: string): readonly Part[] {
	const lines: PartLine[] = [];
	const dropped: number[] = [];
	const reasons = new Map<number, string>();
	const finder = new PartFinder();
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
				// What made it unusable comes last. A blank line is not missed.
				const last = diagnostics.stored.at(-1);
				if (diagnostics.size > before) drop(number, last?.line === number ? last.message : undefined);
				return;
			}
			finder.add(value, number);
			if (value.type === "session") headers += 1;
			lines.push({ number, value, isBroken: line.bytes !== undefined && !isUtf8(line.bytes) });
		},
		MAX_LOADED_LINE_BYTES,
	);
	const starts = finder.starts();
	if (headers > starts.length) {
		// Second headers of a session that goes on.
		const isStart = new Set(starts);
		let isFirst = true;
		for (const { number, value } of lines) {
			if (value.type !== "session") continue;
			if (!isFirst && !isStart.has(number))
				drop(number, `Line ${number} is a second header; what follows goes on from the entries before it.`);
			isFirst = false;
		}
		dropped.sort((a, b) => a - b);
	}
	return splitAt(starts, lines, dropped).map((part) => ({ ...part, reasons }));
}

/** `lines` and `dropped` by their numbers. */
function splitAt(
	starts: readonly number[],
	lines: readonly PartLine[],
	dropped: readonly number[],
): readonly Omit<Part, "reasons">[] {
	let line = 0;
	let drop = 0;
	return starts.map((_, part) => {
		const end = starts[part + 1] ?? Number.POSITIVE_INFINITY;
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
