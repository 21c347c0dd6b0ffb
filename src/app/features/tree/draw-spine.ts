import { isEnded, type TreeRow } from "../../../conversation/tree/tree-rows.ts";
import { type Line, type Span, span, type Tone } from "../../../ui/text/line.ts";

/** Largest share of a row that its lines take. */
const LINES_SHARE = 0.4;
/** Cells of one line: the line and a blank. */
const LINE_WIDTH = 2;

/** What is drawn before a row's text: the lines beside it, and its own line with its sign. */
export interface Spine {
	/** Replaces the row's own line. */
	readonly sign: string | undefined;
	/** Tone of the sign; default: that of the line. */
	readonly tone?: Tone;
	/** Whether it is the first row, so that a branch beginning here joins no line. */
	readonly isFirst: boolean;
	/** Whether the next row begins another branch from the same line. */
	readonly hasNext: boolean;
}

/** The spine of a row, without the cell of the cursor. */
export function drawSpine(row: TreeRow, { sign, tone, isFirst, hasNext }: Spine, width: number): Line {
	const { depth, kind } = row;
	const isBranch = kind === "folded" || kind === "opened";
	const shown = Math.min(depth, Math.max(1, Math.floor((width * LINES_SHARE) / LINE_WIDTH)));
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
