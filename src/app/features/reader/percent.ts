import type { Piece } from "../../../conversation/blocks/piece.ts";
import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { backward, comparePositions, forward, rowsFrom } from "../../../conversation/document/walk.ts";
import { BOOKKEEPING } from "../../../store/format/bookkeeping.ts";
import type { Reader } from "../../world/opened/select-reader.ts";

/** Bisection steps: a row of a million entries. */
const HALVES = 20;
/** What a piece of an entry takes besides its text, in characters. */
const LEAST = 40;

/**
 * How many of the entries that are not in sight are above it, in percent: 0 at the start, 100 when the end is in sight, and
 * never less further down. Only entries at the edges of what is in sight are looked at.
 */
export function percentRead({ document, top, height }: Reader): number {
	const below = rowsFrom(document, top, height + 1)[height];
	if (below === undefined) return 100;
	if (isFirstRow(document, top)) return 0;
	const above = Math.max(0, entriesBefore(document, top) - leadingBookkeeping(document));
	const left = document.path.length - entriesBefore(document, below.at);
	return Math.min(99, Math.floor((above / (above + left)) * 100));
}

/** The row at the top that shows so many percent, or the next one that does not show less. */
export function positionAtPercent(reader: Reader, percent: number): Position {
	const { document } = reader;
	let [from, to] = [0, document.path.length];
	let top = positionBehind(document, to);
	for (let half = 0; half < HALVES; half++) {
		// In a long conversation what is in sight hardly counts, and the first one is already it.
		const tried = half === 0 ? (to * percent) / 100 : (from + to) / 2;
		const at = positionBehind(document, tried);
		const shown = percentRead({ ...reader, top: at });
		if (shown === percent) return at;
		if (shown < percent) from = tried;
		else [to, top] = [tried, at];
	}
	return top;
}

function isFirstRow(document: ReaderDocument, top: Position): boolean {
	return top.piece === 0 && top.row === 0 && comparePositions(backward(document, top, 1), top) === 0;
}

/** Entries that a session begins with and that have nothing to show, such as the choice of a model. */
function leadingBookkeeping({ path }: ReaderDocument): number {
	const first = path.findIndex(({ type }) => !BOOKKEEPING.has(type));
	return first === -1 ? 0 : first;
}

/** Entries before a row, with the part of its own that is above it. */
function entriesBefore(document: ReaderDocument, { entry, piece, row }: Position): number {
	const pieces = document.pieces(entry);
	let [read, all] = [0, 0];
	for (const [index, one] of pieces.entries()) {
		const size = sizeOf(one);
		all += size;
		if (index < piece) read += size;
		else if (index === piece) read += (size * row) / Math.max(1, document.rows(entry, piece).length);
	}
	return entry + read / Math.max(1, all);
}

/** The row that has so many entries before it. */
function positionBehind(document: ReaderDocument, entries: number): Position {
	const entry = Math.min(Math.floor(entries), document.path.length - 1);
	const pieces = document.pieces(entry);
	let left = pieces.reduce((sum, piece) => sum + sizeOf(piece), 0) * (entries - entry);
	for (const [piece, one] of pieces.entries()) {
		const size = sizeOf(one);
		if (left < size) {
			const row = Math.floor((document.rows(entry, piece).length * left) / size);
			return forward(document, { entry, piece, row }, 0) ?? { entry, piece, row };
		}
		left -= size;
	}
	return { entry: entry + 1, piece: 0, row: 0 };
}

/** Characters of a piece; what is folded away takes one row. */
function sizeOf({ text, fold }: Piece): number {
	return LEAST + (fold === undefined ? text.length : 0);
}
