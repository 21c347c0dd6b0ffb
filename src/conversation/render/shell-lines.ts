import type { Line, ShellColor, Span } from "../../ui/text/line.ts";
import { blanks, type CleanText, cleanLiteral, cleanText, joinText } from "../../ui/text/sanitize.ts";
import { textWidth } from "../../ui/text/width.ts";
import { lineParts, type OpenLine, rowsOfLines } from "./wrap-rows.ts";

/**
 * The output of a program in rows of `width` cells. Its colors stay; whatever else it does to the terminal is removed. For a
 * part of an output, `pen` is the style at its start (`penAt`), and `isContinued` says whether that is within a line.
 */
export function shellRows(text: string, width: number, pen?: Pen, isContinued = false): Generator<Line, void> {
	return rowsOfLines(shellLines(text, pen), width, isContinued);
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

export function penAt(text: string, index: number): Pen {
	let pen: Pen = {};
	for (const [, parameters = ""] of text.slice(Math.max(0, index - LOOK_BACK), index).matchAll(COLOR_CHANGE))
		pen = changePen(pen, parameters);
	return pen;
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

/** Draws a line of output, without its line end, as the terminal shows it after all overwriting; with the pen behind it. */
function drawShellLine(raw: string, pen: Pen): { readonly line: Line; readonly pen: Pen } {
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

/** A character with its marks; "rest": the second cell of a wide character; undefined: nothing was written. */
type LineCell = { readonly text: CleanText; readonly pen: Pen } | "rest" | undefined;

/** Columns that the cursor may be moved beyond the written text to: a program may ask for any. */
const MAX_COLUMN = 1000;
const NO_PEN: Pen = {};
const BLANK = { text: blanks(1), pen: NO_PEN };

/** One line of a terminal without a right edge, and its cursor. */
class ScreenLine {
	readonly #cells: LineCell[] = [];
	column = 0;

	moveTo(column: number): void {
		this.column = Math.max(0, Math.min(column, Math.max(MAX_COLUMN, this.#cells.length)));
	}

	/** Erases from the cursor on (0), up to it (1), or everything (2). */
	erase(what: number): void {
		if (what === 0) this.#cells.length = Math.min(this.#cells.length, this.column);
		if (what === 1) this.#cells.fill(undefined, 0, this.column + 1);
		if (what === 2) this.#cells.length = 0;
	}

	write(text: CleanText, pen: Pen): void {
		for (const character of text) {
			const width = textWidth(cleanText(character));
			const isMark = MARK.test(character) && this.#addMark(character);
			if (!isMark) this.#put({ text: cleanText(character), pen }, width);
		}
	}

	line(): Line {
		const spans: Span[] = [];
		let texts: CleanText[] = [];
		let pen = NO_PEN;
		const close = () => {
			if (texts.length > 0) spans.push({ ...pen, text: joinText(...texts) });
			texts = [];
		};
		for (const cell of this.#cells) {
			if (cell === "rest") continue;
			const drawn = cell ?? BLANK;
			if (drawn.pen !== pen) close();
			pen = drawn.pen;
			texts.push(drawn.text);
		}
		close();
		return spans;
	}

	/** Adds a mark to the character before the cursor; false if there is none. */
	#addMark(mark: string): boolean {
		const index = this.#cells[this.column - 1] === "rest" ? this.column - 2 : this.column - 1;
		const cell = this.#cells[index];
		if (typeof cell !== "object") return false;
		this.#cells[index] = { ...cell, text: cleanText(cell.text + mark) };
		return true;
	}

	#put(cell: LineCell, width: number): void {
		const end = this.column + width;
		// Overwriting half of a wide character erases all of it.
		if (this.#cells[this.column] === "rest") this.#cells[this.column - 1] = BLANK;
		if (this.#cells[end] === "rest") this.#cells[end] = BLANK;
		this.#cells[this.column] = cell;
		if (width === 2) this.#cells[this.column + 1] = "rest";
		this.column = end;
	}
}

const MARK = /^\p{M}$/u;

type Pen = Omit<Span, "text" | "ground" | "link">;

/** The pen after an SGR sequence ("select graphic rendition"); `parameters`: the text between "[" and "m". */
function changePen(pen: Pen, parameters: string): Pen {
	// Colons separate the parts of one parameter: "38:2::255:0:0", "4:3".
	const codes = parameters.split(";").map((each) => each.split(":").map(Number));
	let changed = pen;
	for (let index = 0; index < codes.length; index++) {
		const [code = 0, ...parts] = codes[index] ?? [];
		if (code !== 38 && code !== 48 && code !== 58) {
			changed = code === 4 && parts[0] === 0 ? without(changed, "underline") : changeOne(changed, code);
			continue;
		}
		const further = codes.slice(index + 1, index + 5).map(([first = 0]) => first);
		const { color, length } = parts.length > 0 ? colorOf(withoutSpace(parts)) : colorOf(further);
		if (parts.length === 0) index += length;
		if (color !== undefined && code !== 58) changed = { ...changed, [code === 38 ? "color" : "background"]: color };
	}
	return changed;
}

const ON: ReadonlyMap<number, Pen> = new Map<number, Pen>([
	[1, { bold: true }],
	[2, { tone: "muted" }],
	[3, { italic: true }],
	[4, { underline: true }],
	[7, { inverse: true }],
	[9, { strike: true }],
	[21, { underline: true }],
]);

const OFF: ReadonlyMap<number, ReadonlyArray<keyof Pen>> = new Map<number, ReadonlyArray<keyof Pen>>([
	[22, ["bold", "tone"]],
	[23, ["italic"]],
	[24, ["underline"]],
	[27, ["inverse"]],
	[29, ["strike"]],
	[39, ["color"]],
	[49, ["background"]],
]);

function changeOne(pen: Pen, code: number): Pen {
	if (code === 0) return {};
	const on = ON.get(code);
	if (on !== undefined) return { ...pen, ...on };
	const off = OFF.get(code);
	if (off !== undefined) return without(pen, ...off);
	if (code >= 30 && code <= 37) return { ...pen, color: code - 30 };
	if (code >= 90 && code <= 97) return { ...pen, color: code - 90 + 8 };
	if (code >= 40 && code <= 47) return { ...pen, background: code - 40 };
	if (code >= 100 && code <= 107) return { ...pen, background: code - 100 + 8 };
	return pen;
}

function without(pen: Pen, ...names: ReadonlyArray<keyof Pen>): Pen {
	return Object.fromEntries(Object.entries(pen).filter(([name]) => !names.some((each) => each === name)));
}

/** The color in the parameters after 38 or 48, and how many parameters it takes. */
function colorOf(parameters: readonly number[]): { readonly color: ShellColor | undefined; readonly length: number } {
	const [kind, first, green, blue] = parameters;
	if (kind === 5) return { color: isByte(first) ? first : undefined, length: 2 };
	if (kind !== 2) return { color: undefined, length: 1 };
	const isColor = isByte(first) && isByte(green) && isByte(blue);
	return { color: isColor ? [first, green, blue] : undefined, length: 4 };
}

/** With colons there may be a color space, which is usually empty, before red. */
function withoutSpace(parts: readonly number[]): readonly number[] {
	return parts[0] === 2 && parts.length > 4 ? [2, ...parts.slice(2)] : parts;
}

function isByte(value: number | undefined): value is number {
	return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;
}
