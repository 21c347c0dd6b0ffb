import { cleanText } from "../../ui/text/sanitize.ts";
import type { Line } from "../../ui/view.ts";
import { cleanLiteral } from "./clean-literal.ts";
import { ScreenLine } from "./screen-line.ts";
import { changePen, type Pen } from "./shell-pen.ts";

/** A line that a program printed, drawn, and the pen behind it. */
interface DrawnLine {
	readonly line: Line;
	readonly pen: Pen;
}

/** Nothing of these makes more of a text than characters in a row. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;
/**
 * The pieces of a line: sequences with parameters ("\u001b[1m"), strings for the terminal (a title, a link) that end, other
 * sequences, and controls that move the cursor. What is not recognized is text, and cleaned like it.
 */
const PIECES =
	/(?:\u001b\[|\u009b)(?<parameters>[0-?]*)[ -/]*(?<final>[@-~])|\u001b[\]PX^_][^\u0007\u001b\u009c]{0,4096}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-OQ-WYZ\\`-~]|(?<control>[\t\r\b])/g;
const TAB_STOP = 8;

/** Draws a line that a program printed, without its end: as the terminal shows it after everything is overwritten. */
export function drawShellLine(raw: string, pen: Pen): DrawnLine {
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
