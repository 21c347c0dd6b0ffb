import type { Line } from "../model/view.ts";
import { PART, partEnd } from "../text/wrap.ts";
import { countLines } from "./each-line.ts";
import { wrapOpenLines } from "./open-line.ts";
import { inParts, type RowParts } from "./row-parts.ts";
import { penAt, shellLines } from "./shell-lines.ts";
import type { Pen } from "./shell-pen.ts";

/** What a program printed in rows of `width` cells: its colors stay, whatever else it does to the terminal goes. */
export function* shellRows(text: string, width: number): RowParts {
	yield* inParts(numberedRows(text, width).map(({ row }) => row));
}

/** The first and the last rows of what a program printed. */
export interface ShellEnds {
	readonly head: readonly Line[];
	/** None when all rows are in `head`. */
	readonly tail: readonly Line[];
	/** Lines that are in neither, at least; 0 only when there is nothing between. */
	readonly linesBetween: number;
	/** Whether these are all: the lines of a very long text are not all counted. */
	readonly isCounted: boolean;
}

/**
 * The first `head` and the last `tail` rows, without looking at those between, or all rows when one more than these is
 * all there is.
 */
export function shellEnds(text: string, width: number, head: number, tail: number): ShellEnds {
	const first = numberedRows(text, width)
		.take(head + tail + 2)
		.toArray();
	if (first.length <= head + tail + 1) {
		return { head: first.map(({ row }) => row), tail: [], linesBetween: 0, isCounted: true };
	}
	const start = startOfLast(text, tail);
	const end = numberedRows(text.slice(start), width, penAt(text, start)).toArray();
	const heads = first.slice(0, head);
	const tails = end.slice(Math.max(0, end.length - tail));
	const { count, isAll } = countLines(text);
	return {
		head: heads.map(({ row }) => row),
		tail: tails.map(({ row }) => row),
		linesBetween: Math.max(1, count - linesIn(heads) - linesIn(tails)),
		isCounted: isAll,
	};
}

interface NumberedRow {
	readonly row: Line;
	/** The number of its line in the text. */
	readonly line: number;
}

function* numberedRows(text: string, width: number, pen?: Pen): Generator<NumberedRow, void> {
	let number = 0;
	for (const { rows, isEnd } of wrapOpenLines(shellLines(text, pen), width)) {
		for (const row of rows) yield { row, line: number };
		if (isEnd) number++;
	}
}

function linesIn(rows: readonly NumberedRow[]): number {
	return new Set(rows.map(({ line }) => line)).size;
}

/** Where the last `count` lines of a text begin, or its last part, whichever is later. */
function startOfLast(text: string, count: number): number {
	const earliest = text.length <= 2 * PART ? 0 : partEnd(text, text.length - 2 * PART);
	let start = text.endsWith("\n") ? text.length - 1 : text.length;
	for (let lines = 0; lines < count; lines++) {
		const found = text.lastIndexOf("\n", start - 1);
		if (found < earliest) return earliest;
		start = found;
	}
	return start + 1;
}
