import { lineParts, type OpenLine } from "./open-line.ts";
import { drawShellLine } from "./shell-line.ts";
import { changePen, type Pen } from "./shell-pen.ts";

/** What a program printed, with its colors, line by line; nothing is drawn before it is asked for. */
export function* shellLines(text: string, startPen: Pen = {}): Generator<OpenLine, void> {
	let pen = startPen;
	for (const { raws, isOpen } of lineParts(text)) {
		for (const [index, raw] of raws.entries()) {
			const drawn = drawShellLine(raw, pen);
			pen = drawn.pen;
			yield { spans: drawn.line, isEnd: index < raws.length - 1 || !isOpen };
		}
	}
}

const COLOR_CHANGE = /(?:\u001b\[|\u009b)([0-9;:]*)m/g;
/** UTF-16 units before a place in which the color is looked for that is used there. */
const LOOK_BACK = 16_384;

/** The pen that a program has at some place of its output. */
export function penAt(text: string, index: number): Pen {
	let pen: Pen = {};
	for (const [, parameters = ""] of text.slice(Math.max(0, index - LOOK_BACK), index).matchAll(COLOR_CHANGE))
		pen = changePen(pen, parameters);
	return pen;
}
