import type { Line, Span } from "../../ui/text/line.ts";
import { blanks, cleanText } from "../../ui/text/sanitize.ts";
import { lineWidth } from "../../ui/text/width.ts";
import { inlineLines, type Style } from "./markdown-inline.ts";
import type { MarkdownBlock, MarkdownCell } from "./read-markdown.ts";
import { wrapProse } from "./wrap-rows.ts";

const BORDER: Span = { text: cleanText(" │ "), tone: "frame" };
const CROSSING = "─┼─";
const BORDER_CELLS = 3;
/** A column is not made narrower than this, unless its content is. */
const MIN_CELLS = 4;

interface TextCell {
	readonly lines: readonly Line[];
	readonly align: MarkdownCell["align"];
}

/** A table: columns as wide as they need to be, or shrunk and wrapped; if they do not fit at all, one cell per row. */
export function tableRows(
	table: Extract<MarkdownBlock, { readonly kind: "table" }>,
	width: number,
	style: Style,
): Line[] {
	const head = table.head.map((cell) => cellOf(cell, { ...style, bold: true }));
	const body = table.rows.map((row) => row.map((cell) => cellOf(cell, style)));
	const widths = columnWidths([head, ...body], width);
	if (widths === undefined) return cellUnderCell(head, body, width);
	return [
		...rowsOf(head, widths),
		[{ text: cleanText(widths.map((cells) => "─".repeat(cells)).join(CROSSING)), tone: "frame" }],
		...body.flatMap((row) => rowsOf(row, widths)),
	];
}

function cellOf({ text, align }: MarkdownCell, style: Style): TextCell {
	return { lines: inlineLines(text, style), align };
}

/** The widths of the columns; undefined if even the least widths do not fit. */
function columnWidths(rows: ReadonlyArray<readonly TextCell[]>, width: number): number[] | undefined {
	const fullWidths = (rows[0] ?? []).map((_, column) => Math.max(1, ...rows.map((row) => widthOf(row[column]))));
	const room = width - BORDER_CELLS * (fullWidths.length - 1);
	const least = fullWidths.map((cells) => Math.min(cells, MIN_CELLS));
	if (sum(least) > room) return undefined;
	return shrink(fullWidths, least, room);
}

function widthOf(cell: TextCell | undefined): number {
	return Math.max(0, ...(cell?.lines ?? []).map(lineWidth));
}

/** Shrinks the widest columns to one common width until the table fits. */
function shrink(fullWidths: readonly number[], least: readonly number[], room: number): number[] {
	let [low, high] = [0, Math.max(...fullWidths)];
	const cutAt = (max: number) => fullWidths.map((cells, column) => Math.max(least[column] ?? 1, Math.min(cells, max)));
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if (sum(cutAt(middle)) <= room) low = middle;
		else high = middle - 1;
	}
	const widths = cutAt(low);
	let spare = room - sum(widths);
	for (const [column, cells] of widths.entries()) {
		if (spare === 0 || cells >= (fullWidths[column] ?? 0)) continue;
		widths[column] = cells + 1;
		spare--;
	}
	return widths;
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, each) => total + each, 0);
}

function rowsOf(cells: readonly TextCell[], widths: readonly number[]): Line[] {
	const columns = widths.map((width, column) => (cells[column]?.lines ?? []).flatMap((line) => wrapProse(line, width)));
	const height = Math.max(1, ...columns.map((rows) => rows.length));
	return Array.from({ length: height }, (_, index) =>
		widths.flatMap((width, column) => {
			const row = aligned(columns[column]?.[index] ?? [], width, cells[column]?.align ?? null);
			return column === 0 ? row : [BORDER, ...row];
		}),
	);
}

function aligned(line: Line, width: number, align: TextCell["align"]): Line {
	const missing = width - lineWidth(line);
	const indent = align === "right" ? missing : align === "center" ? Math.floor(missing / 2) : 0;
	const [start, end] = [blanks(indent), blanks(missing - indent)];
	// Each row of a table is a line, also one in which a cell goes on.
	const cell = line.map(({ joins, ...part }) => part);
	return [{ text: start }, ...cell, { text: end }].filter(({ text }) => text !== "");
}

/** A table that does not fit: each cell on its own row behind the head of its column, with blank rows between table rows. */
function cellUnderCell(head: readonly TextCell[], body: ReadonlyArray<readonly TextCell[]>, width: number): Line[] {
	if (body.length === 0) return head.flatMap(({ lines }) => lines.flatMap((line) => wrapProse(line, width)));
	return body.flatMap((row, index) => [
		...(index === 0 ? [] : [[]]),
		...row.flatMap(({ lines: [first = [], ...further] }, column) => {
			const name = head[column]?.lines.flat() ?? [];
			const titled = lineWidth(name) === 0 ? first : [...name, COLON, ...first];
			return [titled, ...further].flatMap((line) => wrapProse(line, width));
		}),
	]);
}

const COLON: Span = { text: cleanText(": "), tone: "muted" };
