import type { Position, ReaderDocument } from "./document.ts";
import type { PathWeights } from "./path-weights.ts";
import type { Piece } from "./piece.ts";
import type { Reader } from "./select-reader.ts";
import { firstRow, forward, rowsFrom } from "./walk.ts";

/** So often what is left to look in is halved. Each time a screen is drawn, soon of what was drawn before. */
const HALVES = 20;
/** Characters of an entry. */
const MOST_OF_SHORT = 10_000;
/** What a piece takes besides its text, in characters. */
const LEAST = 40;

/**
 * How much of what is not in sight is above it, in percent: 0 at the start, 100 when the end is in sight, and never less
 * further down. Undefined while a long conversation is being weighed.
 */
export function percentRead({ document, top, height, weights }: Reader): number | undefined {
	const below = rowsFrom(document, top, height + 1)[height];
	if (below === undefined) return 100;
	if (!weights.isComplete) return undefined;
	const above = weightBefore(document, weights, top) - startWeight(document, weights, top);
	const left = weights.total - weightBefore(document, weights, below.at);
	return Math.min(99, Math.floor((above / Math.max(1, above + left)) * 100));
}

/** The weight of what stands before the first row: entries, or pieces of an entry, that have nothing to show. */
function startWeight(document: ReaderDocument, weights: PathWeights, top: Position): number {
	let first = 0;
	while (first < top.entry && isShort(weights, first) && hasNoRows(document, first)) first++;
	const row = first === top.entry ? firstRow(document) : undefined;
	return row === undefined ? weights.before(first) : weightBefore(document, weights, row);
}

/** Whether an entry that is not in sight may be looked at: a long one takes its time, and has something to show. */
function isShort(weights: PathWeights, entry: number): boolean {
	return weights.before(entry + 1) - weights.before(entry) < MOST_OF_SHORT;
}

function hasNoRows(document: ReaderDocument, entry: number): boolean {
	return document.pieces(entry).every((_, piece) => document.rows(entry, piece).length === 0);
}

/** The row at the top that shows so many percent, or the next one that does not show less. */
export function positionAtPercent(reader: Reader, percent: number): Position {
	const { document, weights } = reader;
	if (!weights.isComplete) return { entry: Math.floor((document.path.length * percent) / 100), piece: 0, row: 0 };
	let [from, to] = [0, weights.total];
	let top = positionOfWeight(document, weights, to);
	// In a long conversation what is in sight hardly counts, and this is already it.
	let tried = (weights.total * percent) / 100;
	for (let half = 0; half < HALVES; half++) {
		const at = positionOfWeight(document, weights, tried);
		const shown = percentRead({ ...reader, top: at }) ?? 100;
		if (shown === percent) return at;
		if (shown < percent) from = tried;
		else [to, top] = [tried, at];
		tried = (from + to) / 2;
	}
	return top;
}

/** The weight of all before a row. Only the entry that the row is in is looked at. */
function weightBefore(document: ReaderDocument, weights: PathWeights, { entry, piece, row }: Position): number {
	const before = weights.before(entry);
	const pieces = document.pieces(entry);
	let [read, all] = [0, 0];
	for (const [index, one] of pieces.entries()) {
		const weight = pieceWeight(one);
		all += weight;
		if (index < piece) read += weight;
		else if (index === piece) read += (weight * row) / Math.max(1, document.rows(entry, piece).length);
	}
	return all === 0 ? before : before + ((weights.before(entry + 1) - before) * read) / all;
}

/** The row that has this weight before it. */
function positionOfWeight(document: ReaderDocument, weights: PathWeights, weight: number): Position {
	const entry = weights.entryAt(weight);
	const before = weights.before(entry);
	const pieces = document.pieces(entry);
	const all = pieces.reduce((sum, piece) => sum + pieceWeight(piece), 0);
	let left = (all * (weight - before)) / Math.max(1, weights.before(entry + 1) - before);
	for (const [piece, one] of pieces.entries()) {
		const own = pieceWeight(one);
		if (left < own) {
			const row = Math.floor((document.rows(entry, piece).length * left) / own);
			return forward(document, { entry, piece, row }, 0) ?? { entry, piece, row };
		}
		left -= own;
	}
	return { entry: entry + 1, piece: 0, row: 0 };
}

/** What is folded away takes one row. */
function pieceWeight({ text, fold }: Piece): number {
	return LEAST + (fold === undefined ? text.length : 0);
}
