import type { Line } from "../model/view.ts";
import { partEnd } from "../text/wrap.ts";
import { drawShellLine } from "./shell-line.ts";
import { changePen, type Pen } from "./shell-pen.ts";

/** A line that a program printed, or a part of one: a line may be endless. */
export interface ShellLine {
	readonly spans: Line;
	/** Whether it is the last part of its line. */
	readonly isEnd: boolean;
}

/** What a program printed, with its colors, line by line; nothing is drawn before it is asked for. */
export function* shellLines(text: string, startPen: Pen = {}): Generator<ShellLine, void> {
	let pen = startPen;
	for (let from = 0; from < text.length; ) {
		const to = partEnd(text, from);
		const raws = text.slice(from, to).split("\n");
		// What stands behind the last line end of a part goes on in the next part; behind the very last one is no line.
		if (raws.at(-1) === "") raws.pop();
		const isOpen = to < text.length && text[to - 1] !== "\n";
		for (const [index, raw] of raws.entries()) {
			const drawn = drawShellLine(raw, pen);
			pen = drawn.pen;
			yield { spans: drawn.line, isEnd: index < raws.length - 1 || !isOpen };
		}
		from = to;
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
