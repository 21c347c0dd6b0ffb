import type { Line } from "./line.ts";

/** What is only drawn: lines, boxes, blocks, and the dots of rules. */
const DRAWN = /[\u2500-\u259f]/;
/** What is drawn, with the blanks around it. */
const DRAWINGS = / *[\u2500-\u259f][\u2500-\u259f ]*/g;
/** A blank that makes no column, as in code. */
export const KEPT_BLANK = "\u00a0";
/** Blanks that make a column. */
const BLANKS = /^ {2,}$/;
/** The cells of a pane for the mark of the cursor. What is indented further stays so. */
const MARGIN = /^ {1,2}/;
/** Stands for a drawing or the blanks between columns: no text on the screen has control characters. */
const GAP = "\u0000";
const GAPS = / *\u0000[ \u0000]*/g;

/**
 * A row as words, for a person who hears it and for a terminal that cannot draw: nothing of lines and boxes is left, and commas
 * separate what stands in columns. `isStart`: more follows.
 */
export function rowAsWords(line: Line, isStart = false): string {
	const first = line.findIndex(({ text }) => text.trim() !== "");
	const text = line
		.map((span, index) => {
			if (BLANKS.test(span.text) && index > first) return GAP;
			return DRAWN.test(span.text) ? span.text.replace(DRAWINGS, GAP) : span.text;
		})
		.join("")
		.replace(MARGIN, "")
		.replaceAll(" · ", GAP);
	const words = text.replace(GAPS, (gap, at: number) => {
		const isEnd = at + gap.length === text.length;
		if (at === 0 || (isEnd && !isStart)) return "";
		return /[,:;.?!…]/.test(text.charAt(at - 1)) ? " " : ", ";
	});
	return words.replaceAll(KEPT_BLANK, " ");
}
