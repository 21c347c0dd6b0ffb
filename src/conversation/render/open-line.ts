import type { Line } from "../../ui/text/line.ts";
import { cleanLines } from "../../ui/text/sanitize.ts";
import { hardWrap } from "./hard-wrap.ts";

/** UTF-16 units of a text that are cleaned and wrapped at a time. */
export const PART = 8192;
/** An escape sequence of at most this many UTF-16 units is kept together. */
const MAX_ESCAPE = 64;

/** Where a part that begins at `from` ends: behind a line or a word if possible, never within a character or an escape sequence. */
export function partEnd(text: string, from: number, most = PART): number {
	const end = from + most;
	if (end >= text.length) return text.length;
	const part = text.slice(from, end);
	const line = part.lastIndexOf("\n") + 1;
	if (line > most / 2) return from + line;
	const sequence = part.lastIndexOf("\u001b");
	if (sequence > most - MAX_ESCAPE) return from + sequence;
	const blank = part.lastIndexOf(" ") + 1;
	if (blank > most / 2) return from + blank;
	return /[\udc00-\udfff\n]/.test(text[end] ?? "") ? end + 1 : end;
}

/** A line, or a part of one, since a line may have any length. */
export interface OpenLine {
	readonly spans: Line;
	/** Whether it is the last part of its line. */
	readonly isEnd: boolean;
}

/** The rows of a line, or of a part of one. */
export interface OpenRows {
	readonly rows: readonly Line[];
	/** Whether the line ends with them. */
	readonly isEnd: boolean;
}

/** The lines of a text of any length, in parts of some kilobytes; `isOpen`: whether the last line continues in the next part. */
export function* lineParts(
	text: string,
): Generator<{ readonly raws: readonly string[]; readonly isOpen: boolean }, void> {
	for (let from = 0; from < text.length; ) {
		const to = partEnd(text, from);
		const raws = text.slice(from, to).split("\n");
		// There is no line behind the last line end of a part.
		if (raws.at(-1) === "") raws.pop();
		yield { raws, isOpen: to < text.length && text[to - 1] !== "\n" };
		from = to;
	}
}

/** The lines of a text of any length, cleaned and without colors. */
export function* plainLines(text: string, tabStop: number): Generator<OpenLine, void> {
	for (const { raws, isOpen } of lineParts(text)) {
		const lines = cleanLines(raws.join("\n"), tabStop);
		for (const [index, line] of lines.entries()) {
			yield { spans: [{ text: line }], isEnd: index < lines.length - 1 || !isOpen };
		}
	}
}

/** Breaks lines into rows that are full to the last cell; a part of a line continues in the last row of the part before. */
export function* wrapOpenLines(lines: Iterable<OpenLine>, width: number): Generator<OpenRows, void> {
	let open: Line = [];
	for (const { spans, isEnd } of lines) {
		const rows = hardWrap([...open, ...spans], width);
		open = isEnd ? [] : (rows.pop() ?? []);
		yield { rows, isEnd };
	}
}

/** The rows of a text, some at a time: each part takes little time, and none is made before it is needed. */
export type RowParts = Generator<readonly Line[], void>;

const ROWS_PER_PART = 100;

/** Rows in parts. */
export function* inParts(rows: Iterable<Line>): RowParts {
	let part: Line[] = [];
	for (const row of rows) {
		part.push(row);
		if (part.length < ROWS_PER_PART) continue;
		yield part;
		part = [];
	}
	if (part.length > 0) yield part;
}

/** The rows of lines, in parts. */
export function rowsOfLines(lines: Iterable<OpenLine>, width: number): RowParts {
	return inParts(wrapOpenLines(lines, width).flatMap(({ rows }) => rows));
}
