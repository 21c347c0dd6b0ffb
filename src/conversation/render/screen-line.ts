import type { Line, Span } from "../../ui/text/line.ts";
import { blanks, type CleanText, cleanText, joinText } from "../../ui/text/sanitize.ts";
import { textWidth } from "../../ui/text/width.ts";
import type { Pen } from "./shell-pen.ts";

/** A character with its marks; "rest": the second cell of a wide character; undefined: nothing was written. */
type Cell = { readonly text: CleanText; readonly pen: Pen } | "rest" | undefined;

/** Columns that the cursor may be moved beyond the written text to: a program may ask for any. */
const MAX_COLUMN = 1000;
const NO_PEN: Pen = {};
const BLANK = { text: blanks(1), pen: NO_PEN };

/** One line of a terminal without a right edge, and its cursor. */
export class ScreenLine {
	readonly #cells: Cell[] = [];
	#column = 0;

	/** Column of the next character. */
	get column(): number {
		return this.#column;
	}

	moveTo(column: number): void {
		this.#column = Math.max(0, Math.min(column, Math.max(MAX_COLUMN, this.#cells.length)));
	}

	/** Erases from the cursor on (0), up to it (1), or everything (2). */
	erase(what: number): void {
		if (what === 0) this.#cells.length = Math.min(this.#cells.length, this.#column);
		if (what === 1) this.#cells.fill(undefined, 0, this.#column + 1);
		if (what === 2) this.#cells.length = 0;
	}

	write(text: CleanText, pen: Pen): void {
		for (const character of text) {
			const width = textWidth(cleanText(character));
			const isMark = MARK.test(character) && this.#addMark(character);
			if (!isMark) this.#put({ text: cleanText(character), pen }, width);
		}
	}

	/** The visible text. */
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
		const index = this.#cells[this.#column - 1] === "rest" ? this.#column - 2 : this.#column - 1;
		const cell = this.#cells[index];
		if (typeof cell !== "object") return false;
		this.#cells[index] = { ...cell, text: cleanText(cell.text + mark) };
		return true;
	}

	#put(cell: Cell, width: number): void {
		const end = this.#column + width;
		// Overwriting half of a wide character erases all of it.
		if (this.#cells[this.#column] === "rest") this.#cells[this.#column - 1] = BLANK;
		if (this.#cells[end] === "rest") this.#cells[end] = BLANK;
		this.#cells[this.#column] = cell;
		if (width === 2) this.#cells[this.#column + 1] = "rest";
		this.#column = end;
	}
}

const MARK = /^\p{M}$/u;
