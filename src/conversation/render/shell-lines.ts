import type { Line } from "../../ui/text/line.ts";
import { cleanLiteral, cleanText } from "../../ui/text/sanitize.ts";
import { lineParts, type OpenLine, type RowParts, rowsOfLines } from "./open-line.ts";
import { ScreenLine } from "./screen-line.ts";
import { changePen, type Pen } from "./shell-pen.ts";

/**
 * The output of a program in rows of `width` cells. Its colors stay; whatever else it does to the terminal is removed. `pen`:
 * the style at the start, for a part of an output (`penAt`).
 */
export function shellRows(text: string, width: number, pen?: Pen): RowParts {
	return rowsOfLines(shellLines(text, pen), width);
}

/** The output of a program line by line, with its colors; lazy. */
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
/** UTF-16 units before an index that are searched for the colors in effect there. */
const LOOK_BACK = 16_384;

/** The pen at an index of a program's output. */
export function penAt(text: string, index: number): Pen {
	let pen: Pen = {};
	for (const [, parameters = ""] of text.slice(Math.max(0, index - LOOK_BACK), index).matchAll(COLOR_CHANGE))
		pen = changePen(pen, parameters);
	return pen;
}

/** A drawn line of output, and the pen behind it. */
interface DrawnLine {
	readonly line: Line;
	readonly pen: Pen;
}

/** A line without these is plain text. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
/**
 * The parts of a line: sequences with parameters ("\u001b[1m"), complete strings for the terminal (a title, a link), other
 * sequences, and controls that move the cursor. Anything else is text, and cleaned as such.
 */
const PIECES =
	/(?:\u001b\[|\u009b)(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])|\u001b[\]PX^_][^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-OQ-WYZ\\`-~]|(?<control>[\t\r\b])/g;
const TAB_STOP = 8;

/** Draws a line of output, without its line end, as the terminal shows it after all overwriting. */
function drawShellLine(raw: string, pen: Pen): DrawnLine {
	const text = raw.replace(/\r+$/, "");
	if (!CONTROL.test(text)) return { line: [{ ...pen, text: cleanText(text) }], pen };
	const screen = new ScreenLine();
	let current = pen;
	let from = 0;
	for (const match of text.matchAll(PIECES)) {
		screen.write(cleanLiteral(text.slice(from, match.index)), current);
		from = match.index + match[0].length;
		const { parameters = "", final, control } = match.groups ?? {};
		if (final === "m") current = changePen(current, parameters);
		else if (final === "K") screen.erase(Number(parameters));
		else if (final === "G") screen.moveTo(Number(parameters) - 1);
		else if (control === "\t") screen.moveTo(screen.column + TAB_STOP - (screen.column % TAB_STOP));
		else if (control === "\r") screen.moveTo(0);
		else if (control === "\b") screen.moveTo(screen.column - 1);
	}
	screen.write(cleanLiteral(text.slice(from)), current);
	return { line: screen.line(), pen: current };
}
