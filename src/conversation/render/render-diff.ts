import { formatSize } from "../../ui/text/format.ts";
import { type Ground, type Line, type Span, span, type Tone } from "../../ui/text/line.ts";
import { blanks, cleanText } from "../../ui/text/sanitize.ts";
import { lineWidth } from "../../ui/text/width.ts";
import { CODE_TAB_STOP, languageOfPath } from "./code-lines.ts";
import {
	blocksOf,
	type ChangeBlock,
	type Colored,
	type Hunk,
	highlightHunk,
	hunksOf,
	type LinePair,
	markWords,
	pairLines,
} from "./diff-hunks.ts";
import type { DiffLine } from "./diff-lines.ts";
import type { Renderers } from "./renderers.ts";
import { onGround, plainLines, wrapOpenLines } from "./wrap-rows.ts";

interface DiffLook {
	/** The language of the file (`languageOfPath`). */
	readonly language: string | undefined;
	/** Whether to draw old and new lines side by side, if there is room. */
	readonly isSplit: boolean;
}

/** Least width for old and new lines side by side. */
const SPLIT_WIDTH = 60;

/** With more lines, highlighting takes longer than a frame has. */
const MOST_COLORED = 300;

/** Rows of a diff that are drawn; the tree and the editor have the rest. */
const MOST_ROWS = 4000;

/** UTF-16 units of a line that is drawn whole on a page of diffs. */
const MOST_SHOWN = 4000;

export interface DrawnDiffRow {
	readonly line: Line;
	/** The lines that it shows, or parts of them: one, or side by side the old and the new one. */
	readonly shows: readonly DiffLine[];
}

/**
 * The diff of a file in rows of `width` cells, in the colors of its language as far as there is time; it says where there are more, and
 * how long a line is that is too long to be read. Without `renderers` it has the same rows without colors.
 */
export function fileDiffRows(
	path: string,
	lines: readonly DiffLine[],
	width: number,
	isSplit: boolean,
	renderers: Renderers | undefined,
): readonly DrawnDiffRow[] {
	const pen = lines.length > MOST_COLORED ? undefined : renderers;
	const folded = lines.map(foldLong);
	const originals = new Map(folded.map((line, index) => [line, lines[index] ?? line]));
	const rows = drawnRows(folded, width, { language: languageOfPath(path), isSplit }, pen)
		.take(MOST_ROWS + 1)
		.map(({ line, shows }) => ({ line, shows: shows.map((one) => originals.get(one) ?? one) }))
		.toArray();
	if (rows.length <= MOST_ROWS) return rows;
	return [...rows.slice(0, MOST_ROWS), { line: [span("… the rest is not shown here", "muted")], shows: [] }];
}

/** A line with a word instead of its text, if that is so long that nobody reads it, as those of minified code. */
function foldLong(line: DiffLine): DiffLine {
	if (line.text.length <= MOST_SHOWN) return line;
	return { ...line, text: `… ${formatSize(Buffer.byteLength(line.text))} in one line` };
}

/** A diff (`parseDiff`, `editLines`, `writtenLines`) in rows of `width` cells. */
export function* drawnRows(
	lines: Iterable<DiffLine>,
	width: number,
	{ language, isSplit }: DiffLook,
	renderers: Renderers | undefined,
): Generator<DrawnDiffRow, void> {
	const all = [...lines];
	const columns = columnsOf(all, width, isSplit && width >= SPLIT_WIDTH);
	for (const hunk of hunksOf(all)) yield* hunkRows(hunk, highlightHunk(hunk, language, renderers), columns, renderers);
}

/** One column for all lines, or two for the old and the new ones. */
type Columns = readonly [all: DiffColumn] | readonly [old: DiffColumn, new: DiffColumn];

function columnsOf(lines: readonly DiffLine[], width: number, isSplit: boolean): Columns {
	const numbers = lines.flatMap(({ before, after }) => [before ?? 0, after ?? 0]);
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
): Generator<DrawnDiffRow, void> {
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
): Generator<DrawnDiffRow, void> {
	for (const line of [...same, ...removed, ...added])
		yield* columnRows(line, line.kind === "removed" ? line.before : line.after, colored, column);
}

function* splitRows(
	{ same }: ChangeBlock,
	pairs: ReadonlyArray<LinePair<DiffLine>>,
	colored: Colored,
	left: DiffColumn,
	right: DiffColumn,
): Generator<DrawnDiffRow, void> {
	for (const { removed, added } of [...same.map((line) => ({ removed: line, added: line })), ...pairs]) {
		const [lefts, rights] = [
			sideRows(removed, removed?.before, colored, left),
			sideRows(added, added?.after, colored, right),
		];
		yield* besides(lefts, rights, left.width);
	}
}

function sideRows(
	line: DiffLine | undefined,
	number: number | undefined,
	colored: Colored,
	column: DiffColumn,
): Iterator<DrawnDiffRow, void> {
	return line === undefined ? [][Symbol.iterator]() : columnRows(line, number, colored, column);
}

const BORDER = { text: cleanText("│"), tone: "frame" } as const;

/** Puts rows side by side with a border between them; `width`: of the left ones, in cells. */
function* besides(
	lefts: Iterator<DrawnDiffRow, void>,
	rights: Iterator<DrawnDiffRow, void>,
	width: number,
): Generator<DrawnDiffRow, void> {
	for (;;) {
		const [leftRow, rightRow] = [lefts.next(), rights.next()];
		if (leftRow.done && rightRow.done) return;
		const oldRow = leftRow.done ? NO_ROW : leftRow.value;
		const newRow = rightRow.done ? NO_ROW : rightRow.value;
		const missing = blanks(width - lineWidth(oldRow.line));
		const line = [...oldRow.line, ...(missing === "" ? [] : [{ text: missing }]), BORDER, ...newRow.line];
		yield { line, shows: [...oldRow.shows, ...newRow.shows] };
	}
}

const NO_ROW: DrawnDiffRow = { line: [], shows: [] };

/** A column of lines with their signs and numbers; all sizes in cells. */
interface DiffColumn {
	readonly width: number;
	/** Width of the line numbers with a space before them; 0 for none. */
	readonly numbers: number;
	/** Width of the signs with their spaces; 0 for none. */
	readonly signs: number;
}

/** Cells of text that must be left beside numbers, and beside signs. */
const ROOM_WITH_NUMBERS = 12;
const ROOM_WITH_SIGNS = 4;
const SIGN_CELLS = 3;

/** The layout of a column of this width. `largest`: the largest line number in it; undefined if there is none. */
function diffColumn(width: number, largest: number | undefined): DiffColumn {
	const digits = largest === undefined ? 0 : Math.max(2, String(largest).length) + 1;
	const numbers = width - digits - SIGN_CELLS >= ROOM_WITH_NUMBERS ? digits : 0;
	return { width, numbers, signs: width - SIGN_CELLS >= ROOM_WITH_SIGNS ? SIGN_CELLS : 0 };
}

interface LineLook {
	readonly sign: string;
	readonly tone: Tone;
	readonly ground: Ground | undefined;
}

const LOOKS: Readonly<Record<DiffLine["kind"], LineLook>> = {
	added: { sign: "+", tone: "added", ground: "added" },
	removed: { sign: "−", tone: "removed", ground: "removed" },
	same: { sign: " ", tone: "muted", ground: undefined },
	gap: { sign: "…", tone: "muted", ground: undefined },
	note: { sign: " ", tone: "muted", ground: undefined },
};

/** The rows of a line in a column; only the first has the number and the sign. */
function* columnRows(
	line: DiffLine,
	number: number | undefined,
	colored: Colored,
	column: DiffColumn,
): Generator<DrawnDiffRow, void> {
	const { tone, ground } = LOOKS[line.kind];
	const margin = column.numbers + column.signs;
	const spans = colored.get(line);
	const lines = spans === undefined ? plainLines(line.text, CODE_TAB_STOP) : [{ spans, isEnd: true }];
	const shows = [line];
	let isFirst = true;
	for (const { rows } of wrapOpenLines(line.text === "" ? EMPTY : lines, column.width - margin)) {
		for (const row of rows) {
			const drawn = ground === undefined ? row.map((span) => ({ tone, ...span })) : row;
			const start = isFirst ? marginOf(line, number, column) : [{ text: blanks(margin), isAside: true } as const];
			isFirst = false;
			const whole = [...start, ...drawn];
			yield { line: ground === undefined ? whole : onGround(whole, column.width, ground), shows };
		}
	}
}

const EMPTY = [{ spans: [], isEnd: true }];

function marginOf(line: DiffLine, number: number | undefined, { numbers, signs }: DiffColumn): Span[] {
	const { sign, tone } = LOOKS[line.kind];
	const digits = numbers === 0 || number === undefined ? "" : String(number);
	return [
		{ text: cleanText(digits.padStart(numbers)), tone, isAside: true as const },
		{ text: cleanText(signs === 0 ? "" : ` ${sign} `), tone, isAside: true as const },
	].filter(({ text }) => text !== "");
}
