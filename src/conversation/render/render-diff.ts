import type { Line } from "../../ui/text/line.ts";
import { blanks, cleanText } from "../../ui/text/sanitize.ts";
import { lineWidth } from "../../ui/text/width.ts";
import { type Colored, highlightHunk, markWords } from "./color-hunk.ts";
import { columnRows, type DiffColumn, diffColumn } from "./diff-columns.ts";
import { blocksOf, type ChangeBlock, chunksOf, type Hunk, hunksOf } from "./diff-hunks.ts";
import type { DiffLine } from "./diff-lines.ts";
import { inParts, type RowParts } from "./open-line.ts";
import { type LinePair, pairLines } from "./pair-lines.ts";
import type { Renderers } from "./renderers.ts";

/** How a diff is drawn. */
export interface DiffLook {
	/** The language of the file (`languageOfPath`). */
	readonly language: string | undefined;
	/** Whether to draw old and new lines side by side, if there is room. */
	readonly isSplit: boolean;
}

/** Least width for old and new lines side by side. */
const SPLIT_WIDTH = 60;

/** A diff (`parseDiff`, `editLines`, `writtenLines`) in rows of `width` cells. */
export function diffRows(
	lines: Iterable<DiffLine>,
	width: number,
	look: DiffLook,
	renderers: Renderers | undefined,
): RowParts {
	return inParts(allRows(lines, width, look, renderers));
}

function* allRows(
	lines: Iterable<DiffLine>,
	width: number,
	{ language, isSplit }: DiffLook,
	renderers: Renderers | undefined,
): Generator<Line, void> {
	for (const chunk of chunksOf(lines)) {
		const columns = columnsOf(chunk, width, isSplit && width >= SPLIT_WIDTH);
		for (const hunk of hunksOf(chunk)) {
			const colored = highlightHunk(hunk, language, renderers);
			yield* hunkRows(hunk, colored, columns, renderers);
		}
	}
}

/** One column for all lines, or two for the old and the new ones. */
type Columns = readonly [all: DiffColumn] | readonly [old: DiffColumn, new: DiffColumn];

function columnsOf(chunk: readonly DiffLine[], width: number, isSplit: boolean): Columns {
	const numbers = chunk.flatMap(({ before, after }) => [before ?? 0, after ?? 0]);
	const largest = numbers.reduce((one, other) => Math.max(one, other), 0) || undefined;
	if (!isSplit) return [diffColumn(width, largest)];
	const half = Math.floor((width - 1) / 2);
	return [diffColumn(half, largest), diffColumn(width - 1 - half, largest)];
}

function* hunkRows(
	hunk: Hunk,
	colored: Colored,
	columns: Columns,
	renderers: Renderers | undefined,
): Generator<Line, void> {
	const [first, second] = columns;
	const [line] = hunk;
	if (line?.kind === "gap" || line?.kind === "note") {
		const width = first.width + (second === undefined ? 0 : second.width + 1);
		return yield* columnRows(line, undefined, colored, { ...first, width });
	}
	for (const block of blocksOf(hunk)) {
		const pairs = pairLines(block.removed, block.added);
		for (const pair of pairs) markWords(pair, colored, renderers);
		if (second === undefined) yield* unifiedRows(block, colored, first);
		else yield* splitRows(block, pairs, colored, first, second);
	}
}

function* unifiedRows(
	{ same, removed, added }: ChangeBlock,
	colored: Colored,
	column: DiffColumn,
): Generator<Line, void> {
	for (const line of same) yield* columnRows(line, line.after, colored, column);
	for (const line of removed) yield* columnRows(line, line.before, colored, column);
	for (const line of added) yield* columnRows(line, line.after, colored, column);
}

function* splitRows(
	{ same }: ChangeBlock,
	pairs: ReadonlyArray<LinePair<DiffLine>>,
	colored: Colored,
	left: DiffColumn,
	right: DiffColumn,
): Generator<Line, void> {
	for (const line of same)
		yield* besides(sideRows(line, line.before, colored, left), sideRows(line, line.after, colored, right), left.width);
	for (const { removed, added } of pairs)
		yield* besides(
			sideRows(removed, removed?.before, colored, left),
			sideRows(added, added?.after, colored, right),
			left.width,
		);
}

function sideRows(
	line: DiffLine | undefined,
	number: number | undefined,
	colored: Colored,
	column: DiffColumn,
): Iterator<Line, void> {
	return line === undefined ? [][Symbol.iterator]() : columnRows(line, number, colored, column);
}

const BORDER = { text: cleanText("│"), tone: "frame" } as const;

/** Puts rows side by side with a border between them; `width`: of the left ones, in cells. */
function* besides(lefts: Iterator<Line, void>, rights: Iterator<Line, void>, width: number): Generator<Line, void> {
	for (;;) {
		const [left, right] = [lefts.next(), rights.next()];
		if (left.done && right.done) return;
		const line = left.done ? [] : left.value;
		const missing = blanks(width - lineWidth(line));
		yield [...line, ...(missing === "" ? [] : [{ text: missing }]), BORDER, ...(right.done ? [] : right.value)];
	}
}
