import { isEnded, type TreeRow } from "../../../conversation/tree/tree-rows.ts";
import type { Line, Span, Tone } from "../../../ui/text/line.ts";
import { span } from "../../../ui/text/span.ts";

/** The lines beside a row take at most this part of it. */
const MOST_LINES = 0.4;
/** Cells of one line: itself and a blank. */
const LINE_WIDTH = 2;

/** What stands before a row's text: the lines beside it and its own, with the sign that the row has on it. */
export interface Spine {
	/** The sign on the row's own line, instead of the line. */
	readonly sign: string | undefined;
	/** Of the sign; default: that of the line. */
	readonly tone?: Tone;
	/** Whether nothing is drawn above it: a branch that begins here comes from no line. */
	readonly isFirst: boolean;
	/** Whether the next row begins another branch from the same line. */
	readonly hasNext: boolean;
}

/** The lines of a row, without the cell of the cursor. */
export function drawSpine(row: TreeRow, { sign, tone, isFirst, hasNext }: Spine, width: number): Line {
	const { depth, kind } = row;
	const isBranch = kind === "folded" || kind === "opened";
	const shown = Math.min(depth, Math.max(1, Math.floor((width * MOST_LINES) / LINE_WIDTH)));
	const spans: Span[] = [];
	for (let level = depth - shown; level < depth; level++) {
		const isLast = isBranch && level === depth - 1;
		const isCut = level === depth - shown && level > 0;
		const line = isLast ? joint(row, level, isFirst, hasNext) : isEnded(row, level) ? " " : "│";
		spans.push(span(isCut && !isLast ? "…" : line, lineTone(row, level)), span(isLast ? "╌" : " ", "frame"));
	}
	const isBelow = row.last && (kind === "sum" || kind === "damage");
	const own = sign ?? (isBelow ? " " : "│");
	spans.push(span(own, tone ?? (row.active ? "current" : "frame")), span(" "));
	return spans;
}

function joint(row: TreeRow, level: number, isFirst: boolean, hasNext: boolean): string {
	if (isFirst) return "┌";
	return isEnded(row, level) && !hasNext ? "╰" : "├";
}

function lineTone({ besideActive }: TreeRow, level: number): Tone {
	return level === 0 && besideActive ? "current" : "frame";
}
