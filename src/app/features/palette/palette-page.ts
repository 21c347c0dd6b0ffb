import type { Line } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import { lineWidth } from "../../../ui/text/width.ts";

/** A part of a page that is not divided: a heading, a command, an explanation; `item`: which of the commands it is. */
export interface Piece {
	readonly lines: readonly Line[];
	readonly item?: number;
	/** Whether it stays with the piece below it. */
	readonly isHeading?: true;
}

/** Where a command stands on the page. */
interface PlacedItem {
	readonly item: number;
	/** First cell of its column. */
	readonly x: number;
	readonly row: number;
	readonly height: number;
}

/** Pieces in columns of the same width, from top to bottom, then from left to right. */
export interface PalettePage {
	readonly lines: readonly Line[];
	readonly items: readonly PlacedItem[];
}

/** Cells between columns. */
export const COLUMN_GAP = 3;
/** A heading has at least so many rows below it. */
const BELOW_HEADING = 2;

/** Places pieces in columns of `width` cells; the row under the cursor is that of the command `chosen`. */
export function placePieces(pieces: readonly Piece[], columns: number, width: number, chosen: number): PalettePage {
	const total = pieces.reduce((sum, { lines }) => sum + lines.length, 0);
	const height = Math.ceil(total / columns);
	const cells: Line[][] = [[]];
	const items: PlacedItem[] = [];
	for (const { lines, item, isHeading } of pieces) {
		let column = cells.at(-1) ?? [];
		const needed = lines.length + (isHeading ? BELOW_HEADING : 0);
		if (cells.length < columns && column.length + needed > height && column.length > 0) {
			column = [];
			cells.push(column);
		}
		// No column begins with a blank row.
		const shown = column.length === 0 ? lines.slice(lines.findIndex((line) => line.length > 0)) : lines;
		if (item !== undefined)
			items.push({
				item,
				x: (cells.length - 1) * (width + COLUMN_GAP),
				row: column.length,
				height: shown.length,
			});
		column.push(...shown.map((line) => (item === chosen && item !== undefined ? underCursor(line, width) : line)));
	}
	const rows = Math.max(...cells.map(({ length }) => length));
	const lines = Array.from({ length: rows }, (_, row) =>
		joinCells(
			cells.map((column) => column[row] ?? []),
			width,
		),
	);
	return { lines, items };
}

function underCursor(line: Line, width: number): Line {
	return [...line, { text: blanks(width - lineWidth(line)) }].map((span) => ({ ...span, ground: "cursor" }));
}

function joinCells(cells: readonly Line[], width: number): Line {
	const last = cells.findLastIndex((cell) => cell.length > 0);
	return cells.slice(0, last + 1).flatMap((cell, column) => {
		if (column === last) return cell;
		return [...cell, { text: blanks(width - lineWidth(cell) + COLUMN_GAP) }];
	});
}
