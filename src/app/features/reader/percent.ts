import type { Piece } from "../../../conversation/blocks/piece.ts";
import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { backward, comparePositions, forward, rowsFrom } from "../../../conversation/document/walk.ts";
import { BOOKKEEPING } from "../../../store/format/bookkeeping.ts";
import type { Reader } from "../../world/opened/select-reader.ts";

/** Bisection steps, enough for a row among a million entries. */
const STEPS = 20;
/** Size of a piece besides its text, in characters. */
const BASE_SIZE = 40;

/**
 * Entries above the viewport in percent of all outside of it: 0 at the start, 100 when the end is visible, and never falling
 * on the way down. Only the entries at the top and bottom edge are read.
 */
export function percentRead({ document, top, height }: Reader): number {
	const below = rowsFrom(document, top, height + 1)[height];
	if (below === undefined) return 100;
	if (isFirstRow(document, top)) return 0;
	const above = Math.max(0, entriesBefore(document, top) - leadingBookkeeping(document));
	const left = document.path.length - entriesBefore(document, below.at);
	return Math.min(99, Math.floor((above / (above + left)) * 100));
}

/** The top row at which `percentRead` returns `percent`, or else the first one where it returns more. */
export function positionAtPercent(reader: Reader, percent: number): Position {
	const { document } = reader;
	let [from, to] = [0, document.path.length];
	let top = positionAfter(document, to);
	for (let step = 0; step < STEPS; step++) {
		// In a long conversation the viewport hardly matters, so the first guess usually hits.
		const tried = step === 0 ? (to * percent) / 100 : (from + to) / 2;
		const at = positionAfter(document, tried);
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

/** Number of leading entries that show nothing, such as the choice of a model. */
function leadingBookkeeping({ path }: ReaderDocument): number {
	const first = path.findIndex(({ type }) => !BOOKKEEPING.has(type));
	return first === -1 ? 0 : first;
}

/** Number of entries before a row, including the fraction of its own entry above it. */
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

/** The row with this number of entries before it, possibly fractional. */
function positionAfter(document: ReaderDocument, entries: number): Position {
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

/** Size of a piece in characters; a folded one counts as one row. */
function sizeOf({ text, fold }: Piece): number {
	return BASE_SIZE + (fold === undefined ? text.length : 0);
}
