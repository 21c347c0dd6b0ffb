import { codePointWidth, styledWidth } from "../shared/cell-width.ts";

interface RowPiece {
	readonly x: number;
	readonly width: number;
	readonly text: string;
}

/** What Ink does to a row before it is drawn. */
type Transformer = (row: string, index: number) => string;

/**
 * Replaces Ink's own `Output`, on which it draws a frame (scripts/ink-patches.ts). Ink's splits every text into characters and
 * makes an object for each cell of the screen in each frame; this one puts whole texts side by side and splits only those that
 * something else is drawn over.
 */
export class RowOutput {
	readonly #width: number;
	readonly #rows: RowPiece[][];

	constructor({ width, height }: { readonly width: number; readonly height: number }) {
		this.#width = width;
		this.#rows = Array.from({ length: height }, () => []);
	}

	/** Draws text over what is there, cut at the edges of the frame. No box of ours has its own (`overflow`). */
	write(x: number, y: number, text: string, { transformers }: { readonly transformers: readonly Transformer[] }): void {
		if (text === "") return;
		for (const [index, row] of (text.includes("\n") ? text.split("\n") : [text]).entries()) {
			const pieces = this.#rows[y + index];
			if (pieces === undefined) continue;
			const drawn = transformers.reduce((line, transform) => transform(line, index), row);
			place(pieces, within({ x, width: styledWidth(drawn), text: drawn }, 0, this.#width));
		}
	}

	/** The frame, without trailing spaces. */
	get(): { readonly output: string; readonly height: number } {
		return { output: this.#rows.map(joinPieces).join("\n"), height: this.#rows.length };
	}
}

function within(piece: RowPiece, left: number, right: number): RowPiece {
	const { x, width, text } = piece;
	if (x >= left && x + width <= right) return piece;
	if (x >= right || x + width <= left) return { x, width: 0, text: "" };
	const from = Math.max(0, left - x);
	return { x: x + from, ...cutStyled(text, from, Math.max(from, right - x)) };
}

/** Puts a piece over those that are there, which stay in the order of their columns. */
function place(pieces: RowPiece[], piece: RowPiece): void {
	if (piece.width === 0) return;
	const end = piece.x + piece.width;
	const last = pieces.at(-1);
	if (last === undefined || last.x + last.width <= piece.x) {
		pieces.push(piece);
		return;
	}
	const leftPieces = pieces.map((each) => within(each, 0, piece.x));
	const rightPieces = pieces.map((each) => within(each, end, Number.POSITIVE_INFINITY));
	pieces.splice(0, pieces.length, ...[...leftPieces, piece, ...rightPieces].filter(({ width }) => width > 0));
}

function joinPieces(pieces: readonly RowPiece[]): string {
	let row = "";
	let column = 0;
	for (const { x, width, text } of pieces) {
		row += " ".repeat(x - column) + text;
		column = x + width;
	}
	return row.trimEnd();
}

/** A style, a link or a character; the text has no other sequences. */
const PARTS = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|./gsu;
const LINK = "\x1b]8;";
/** The end of a link, in either form. */
const LINK_ENDS = /^\x1b\]8;;(?:\x07|\x1b\\)$/;
const RESETS = /^\x1b\[0?m$/;
const MARK = /^\p{M}/u;

interface StyledPart {
	readonly text: string;
	/** In cells. */
	readonly width: number;
}

/**
 * Cuts the cells `from` to `to` out of a row of text, with the styles and the link in effect there, which end with it. A
 * character that is only partly within, or joined to one before, becomes spaces.
 */
export function cutStyled(text: string, from: number, to: number): StyledPart {
	let styles = "";
	let link = "";
	let cut = "";
	let column = 0;
	let width = 0;
	const add = (part: string, cells: number): void => {
		if (cut === "") cut = link + styles;
		cut += part;
		width += cells;
	};
	for (const [part] of text.matchAll(PARTS)) {
		if (part.startsWith("\x1b")) {
			if (column >= to) break;
			if (part.startsWith(LINK)) link = LINK_ENDS.test(part) ? "" : part;
			else styles = RESETS.test(part) ? "" : styles + part;
			if (cut !== "") cut += part;
			continue;
		}
		const cells = codePointWidth(part.codePointAt(0) ?? 0);
		if (column >= to && cells > 0) break;
		const end = column + cells;
		const isWhole = column >= from && end <= to && (column > from || !MARK.test(part));
		if (cells === 0) {
			// A mark belongs to the character before it.
			if (column > from && column <= to && width > 0) add(part, 0);
		} else if (isWhole) add(part, cells);
		else {
			const missing = Math.min(end, to) - Math.max(column, from);
			if (missing > 0) add(" ".repeat(missing), missing);
		}
		column = end;
	}
	const ends = (styles === "" ? "" : "\x1b[0m") + (link === "" ? "" : "\x1b]8;;\x1b\\");
	return { text: cut === "" ? "" : cut + ends, width };
}
