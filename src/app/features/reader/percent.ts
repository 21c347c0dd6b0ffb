import type { Piece } from "../../../conversation/blocks/piece.ts";
import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import { backward, comparePositions, isEndVisible, rowsFrom } from "../../../conversation/document/walk.ts";
import { BOOKKEEPING } from "../../../store/format/raw-entry.ts";
import type { Reader } from "../../world/opened/select-reader.ts";

/** Size of a piece besides its text, in characters. */
const BASE_SIZE = 40;

/**
 * Entries above the viewport in percent of all outside of it: 0 at the start, 100 when the end is visible, and never falling
 * on the way down. Only the entries at the top and bottom edge are read.
 */
export function percentRead({ document, top, height }: Reader): number {
	const below = rowsFrom(document, top, height + 1)[height];
	if (below === undefined || isEndVisible(document, top, height)) return 100;
	if (isFirstRow(document, top)) return 0;
	const above = Math.max(0, entriesBefore(document, top) - leadingBookkeeping(document));
	const left = document.path.length - entriesBefore(document, below.at);
	return Math.min(99, Math.floor((above / (above + left)) * 100));
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

/** Size of a piece in characters; a folded one counts as one row. */
function sizeOf({ text, fold }: Piece): number {
	return BASE_SIZE + (fold === undefined ? text.length : 0);
}
