import type { Line } from "../text/line.ts";
import type { Distance } from "./page-rows.ts";

/** A text of any length in blocks, whose lines are made only when they are needed. */
export interface TextBlocks {
	readonly count: number;
	/** The lines of a block, by its index; may be none. */
	readonly linesOf: (block: number) => readonly Line[];
}

/** A position in a text: a block and a row of it, both from 0. */
export interface TextPlace {
	readonly block: number;
	readonly row: number;
}

export const TEXT_START: TextPlace = { block: 0, row: 0 };

/** Makes each line a block. */
export function blocksOfLines(lines: readonly Line[]): TextBlocks {
	return { count: lines.length, linesOf: (block) => lines.slice(block, block + 1) };
}

/** At most `max` lines from a position on, and the position behind them. */
export function linesFrom(
	blocks: TextBlocks,
	{ block, row }: TextPlace,
	max: number,
): { readonly lines: readonly Line[]; readonly end: TextPlace } {
	const lines: Line[] = [];
	let from = row;
	for (let at = block; at < blocks.count; at++, from = 0) {
		const all = blocks.linesOf(at);
		const room = max - lines.length;
		lines.push(...all.slice(from, from + room));
		if (all.length - from > room) return { lines, end: { block: at, row: from + room } };
	}
	return { lines, end: { block: blocks.count, row: 0 } };
}

/** The last position that can be the top one if `height` rows are visible. */
export function lastTop(blocks: TextBlocks, height: number): TextPlace {
	return rowsOn(blocks, { block: blocks.count, row: 0 }, -height);
}

/** The earlier one of two positions. */
export function earlier(one: TextPlace, other: TextPlace): TextPlace {
	return (one.block - other.block || one.row - other.row) <= 0 ? one : other;
}

/** The top position after scrolling by a distance; never past the last one that is possible. */
export function scrolled(blocks: TextBlocks, top: TextPlace, distance: Distance, height: number): TextPlace {
	const last = lastTop(blocks, height);
	if ("end" in distance) return distance.end === "first" ? TEXT_START : last;
	const rows = "rows" in distance ? distance.rows : distance.pages * Math.max(1, height - 1);
	return earlier(rowsOn(blocks, earlier(top, last), rows), last);
}

/** The position `rows` rows further on (negative: back), at most the start or the end. */
function rowsOn(blocks: TextBlocks, { block, row }: TextPlace, rows: number): TextPlace {
	let [at, left] = [block, row + rows];
	while (left < 0 && at > 0) left += blocks.linesOf(--at).length;
	while (at < blocks.count) {
		const { length } = blocks.linesOf(at);
		if (left < length) break;
		left -= length;
		at++;
	}
	return at < blocks.count && left >= 0 ? { block: at, row: left } : at === 0 ? TEXT_START : { block: at, row: 0 };
}
