import { DiagnosticList } from "../format/diagnostic-list.ts";
import { isFileId } from "../format/file-ids.ts";
import { parseLine, type RawEntry } from "../format/parse.ts";
import { MAX_LOADED_LINE_BYTES } from "../read/load-file.ts";
import { readLinesSync } from "../read/read-lines.ts";

/** A line of a file that holds a JSON object. */
export interface PartLine {
	/** 1-based. */
	readonly number: number;
	readonly value: RawEntry;
}

/** A line that is not in a repaired copy. */
export interface DroppedLine {
	/** 1-based. */
	readonly line: number;
	/** A sentence. */
	readonly why: string;
}

/** One session of a file. Mostly a file is one; some programs have written several into one file. */
export interface Part {
	/** Undefined where the file has none. */
	readonly header: PartLine | undefined;
	/** In file order, without the header. */
	readonly entries: readonly PartLine[];
	/** Lines among them that hold no entry. */
	readonly dropped: readonly DroppedLine[];
}

/**
 * The sessions of a file, as they are written. A second header begins a session of its own, unless what follows it goes on
 * from an entry before it. Throws a `StoreError` when the file cannot be read. Nothing is written.
 */
export function readParts(path: string): readonly Part[] {
	const lines: PartLine[] = [];
	const dropped: DroppedLine[] = [];
	readLinesSync(
		path,
		(line) => {
			const diagnostics = new DiagnosticList();
			const value = parseLine(line, diagnostics);
			if (value !== undefined) lines.push({ number: line.number, value });
			else for (const { message } of diagnostics.toArray()) dropped.push({ line: line.number, why: message });
		},
		MAX_LOADED_LINE_BYTES,
	);
	return splitAt(lines, dropped, startsOf(lines));
}

/** Indexes of the lines with which sessions begin; the first one begins with the file. */
function startsOf(lines: readonly PartLine[]): readonly number[] {
	const headers = lines.flatMap(({ value }, index) => (value.type === "session" ? [index] : []));
	const starts = [0];
	for (const [at, index] of headers.entries()) {
		// What stands before the first header belongs to it: pi cannot have begun there.
		if (at === 0) continue;
		const before = idsOf(lines.slice(starts.at(-1) ?? 0, index));
		const after = lines.slice(index + 1, headers[at + 1] ?? lines.length);
		if (!after.some(({ value: { parentId } }) => isFileId(parentId) && before.has(parentId))) starts.push(index);
	}
	return starts;
}

function idsOf(lines: readonly PartLine[]): ReadonlySet<unknown> {
	return new Set(lines.map(({ value }) => value.id).filter(isFileId));
}

function splitAt(
	lines: readonly PartLine[],
	dropped: readonly DroppedLine[],
	starts: readonly number[],
): readonly Part[] {
	return starts.map((start, part) => {
		const end = starts[part + 1] ?? lines.length;
		const from = part === 0 ? 0 : (lines[start]?.number ?? 0);
		const to = lines[end]?.number ?? Number.POSITIVE_INFINITY;
		const own = lines.slice(start, end);
		const header = own.find(({ value }) => value.type === "session");
		const others = own.filter((line) => line.value.type === "session" && line !== header);
		const extra = others.map(({ number }) => ({
			line: number,
			why: `Line ${number} is a second header; what follows goes on from the entries before it.`,
		}));
		return {
			header,
			entries: own.filter(({ value }) => value.type !== "session"),
			dropped: [...dropped.filter(({ line }) => line >= from && line < to), ...extra].sort((a, b) => a.line - b.line),
		};
	});
}
