import type { ReaderRow } from "../terminal/piece.ts";
import { GAP, type Position, type ReaderDocument } from "./document.ts";

/** The row `count` rows after a position, or the last one; undefined in a document without rows after it. */
export function walkForward(document: ReaderDocument, from: Position, count: number): Position | undefined {
	let last: Position | undefined;
	let distance = count;
	let { row } = from;
	for (const { entry, piece } of piecesFrom(document, from)) {
		const rows = document.rows(entry, piece).length;
		if (row + distance < rows) return { entry, piece, row: row + distance };
		if (rows > row) last = { entry, piece, row: rows - 1 };
		distance -= Math.max(0, rows - row);
		row = 0;
	}
	return last;
}

/** The row `count` rows before a position, or the first one. */
export function backward(document: ReaderDocument, from: Position, count: number): Position {
	if (count <= from.row) return { ...from, row: from.row - count };
	let first: Position = { ...from, row: 0 };
	let distance = count - from.row;
	for (const { entry, piece } of piecesBefore(document, from)) {
		const rows = document.rows(entry, piece).length;
		if (distance <= rows) return { entry, piece, row: rows - distance };
		if (rows > 0) first = { entry, piece, row: 0 };
		distance -= rows;
	}
	return first;
}

export interface PlacedRow {
	readonly at: Position;
	readonly row: ReaderRow;
}

/** At most `count` rows from a position on. */
export function rowsFrom(document: ReaderDocument, from: Position, count: number): PlacedRow[] {
	const placed: PlacedRow[] = [];
	let start = from.row;
	for (const { entry, piece } of piecesFrom(document, from)) {
		const rows = document.rows(entry, piece);
		for (let row = start; row < rows.length && placed.length < count; row++) {
			const one = rows[row];
			if (one !== undefined) placed.push({ at: { entry, piece, row }, row: one });
		}
		start = 0;
		if (placed.length >= count) break;
	}
	return placed;
}

export function firstRow(document: ReaderDocument): Position | undefined {
	return walkForward(document, START, 0);
}

export function lastRow(document: ReaderDocument): Position {
	const end = { entry: document.path.length, piece: 0, row: 0 };
	return backward(document, end, 1);
}

/** Top row of the last full page, or the first row of all if everything fits on one. A blank row at the end is left out. */
export function lastTop(document: ReaderDocument, height: number): Position {
	const last = lastRow(document);
	const isBlank = document.rows(last.entry, last.piece)[last.row] === GAP;
	return backward(document, last, Math.max(0, isBlank ? height : height - 1));
}

/** Whether the last row of all is visible on a page with this row at the top. */
export function isEndVisible(document: ReaderDocument, top: Position, height: number): boolean {
	const below = rowsFrom(document, top, height + 2).slice(height);
	return below.length === 0 || (below.length === 1 && below[0]?.row === GAP);
}

/** Whether `a` is before `b`: negative; behind it: positive. */
export function comparePositions(a: Position, b: Position): number {
	return a.entry - b.entry || a.piece - b.piece || a.row - b.row;
}

const START: Position = { entry: 0, piece: 0, row: 0 };

type PiecePlace = Pick<Position, "entry" | "piece">;

function* piecesFrom(document: ReaderDocument, from: PiecePlace): Generator<PiecePlace> {
	for (let { entry, piece } = from; entry < document.path.length; entry++, piece = 0)
		for (const { length } = document.pieces(entry); piece < length; piece++) yield { entry, piece };
}

function* piecesBefore(document: ReaderDocument, from: PiecePlace): Generator<PiecePlace> {
	for (let piece = from.piece - 1; piece >= 0; piece--) yield { entry: from.entry, piece };
	for (let entry = from.entry - 1; entry >= 0; entry--)
		for (let piece = document.pieces(entry).length - 1; piece >= 0; piece--) yield { entry, piece };
}
