import { memoEach, RecentlyUsed } from "../../shared/memo.ts";
import type { Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { blanks } from "../../ui/text/sanitize.ts";
import { outlineOf } from "../entries/outline.ts";
import type { Renderers } from "../render/renderers.ts";
import type { ReaderContext } from "../terminal/context.ts";
import { type Block, type Piece, piecesOf, type ReaderRow } from "../terminal/piece.ts";
import { readerBlocks } from "../terminal/reader-blocks.ts";

/** A row of the conversation: index of the entry in the path, of the piece in the entry, and of the row in the piece. */
export interface Position {
	readonly entry: number;
	readonly piece: number;
	readonly row: number;
}

const NONE: ReadonlySet<string> = new Set();
/** Entries and pieces whose layout is kept: more than any screen shows. */
const KEPT = 512;

/** The blank row below a block. */
export const GAP: ReaderRow = { line: [{ text: blanks(0) }] };

/**
 * A conversation as rows of a width: the entries of a path, cut into pieces of bounded size. Only what is asked for is laid
 * out; nothing ever needs the number of all rows.
 */
export class ReaderDocument {
	readonly path: readonly SessionEntry[];
	readonly #context: ReaderContext;
	readonly #width: number;
	readonly #pieces: RecentlyUsed<number, readonly Piece[]>;
	readonly #rows: RecentlyUsed<Piece, readonly ReaderRow[]>;
	readonly #renderers: Renderers | undefined;
	/** The same without colors in code. */
	readonly #plain: Renderers | undefined;
	readonly #colored: RecentlyUsed<string, true> | undefined;
	/** The pieces with code whose rows are without colors. */
	readonly #plainRows = new WeakSet<Piece>();

	/** `kept`: how many entries and how many pieces keep their layout. */
	constructor(context: ReaderContext, width: number, kept: number = KEPT) {
		const { path, renderers } = context;
		this.path = path;
		this.#context = context;
		this.#width = width;
		this.#pieces = new RecentlyUsed(kept);
		this.#rows = new RecentlyUsed(kept);
		this.#renderers = renderers;
		this.#plain = renderers && withoutColors(renderers);
		this.#colored = renderers && coloredWith(renderers);
	}

	indexOf(entryId: string): number | undefined {
		// Mostly it is a whole path, and then no index of all its entries has to be made.
		const level = outlineOf(this.#context.session).level(entryId);
		if (this.path[level]?.id === entryId) return level;
		return indexesOf(this.path).get(entryId);
	}

	pieces(entry: number): readonly Piece[] {
		if (this.path[entry] === undefined) return [];
		return this.#pieces.get(entry, () => piecesOf(readerBlocks(entry, this.#context)));
	}

	/** The blocks of an entry with everything unfolded, to look for something in them. */
	wholeBlocks(entry: number): Iterable<Block> {
		const options = { ...this.#context.options, toolsOpen: true, thinkingOpen: true, toggled: NONE };
		return readerBlocks(entry, { ...this.#context, options });
	}

	rows(entry: number, piece: number): readonly ReaderRow[] {
		const one = this.pieces(entry)[piece];
		if (one === undefined) return [];
		return this.#rows.get(one, () => {
			const isColored = this.#isColored(entry, one);
			if (isColored || this.#renderers === undefined) this.#plainRows.delete(one);
			else if (one.isCode) this.#plainRows.add(one);
			const width = one.isWide === true ? (this.#context.options.wideWidth ?? this.#width) : this.#width;
			const rows = one.draw(width, isColored ? this.#renderers : this.#plain);
			return one.gap && rows.length > 0 ? [...rows, GAP] : rows;
		});
	}

	/** Whether there is code in a piece that is drawn without colors so far. */
	isPlain(entry: number, piece: number): boolean {
		const one = this.pieces(entry)[piece];
		if (one?.isCode !== true || this.#renderers === undefined) return false;
		// Another document of the same conversation may have given it its colors since it was drawn here.
		return this.#plainRows.has(one) || !this.#isColored(entry, one);
	}

	/** The blocks of code that a piece shows, in the order of its rows (`Part.codes`). */
	codes(entry: number, piece: number): ReadonlyArray<string | undefined> {
		const codes = this.pieces(entry)[piece]?.codes;
		return codes === undefined || this.#renderers === undefined ? [] : codes(this.#renderers);
	}

	/** Draws a piece again, with colors in its code. */
	color(entry: number, piece: number): void {
		const one = this.pieces(entry)[piece];
		if (one === undefined || !this.isPlain(entry, piece)) return;
		this.#colored?.get(this.#nameOf(entry, one), () => true);
		this.#rows.forget(one);
		this.rows(entry, piece);
	}

	#isColored(entry: number, piece: Piece): boolean {
		return this.#colored?.has(this.#nameOf(entry, piece)) === true;
	}

	/** The same for a piece in a session that has grown, or at another width. */
	#nameOf(entry: number, { block, part, text }: Piece): string {
		return `${block}/${part}/${text.length}/${this.path[entry]?.id}`;
	}

	/** Where an anchor is: what is gone by now gives way to what stood before it. */
	positionOf(anchor: Anchor): Position | undefined {
		const entry = this.indexOf(anchor.entryId);
		if (entry === undefined) return undefined;
		const pieces = this.pieces(entry);
		const { block, part } = anchor;
		const index = pieces.findLastIndex((piece) => piece.block < block || (piece.block === block && piece.part <= part));
		const piece = Math.max(0, index);
		const isSame = pieces[piece]?.block === block && pieces[piece]?.part === part;
		const count = this.rows(entry, piece).length;
		const scaled =
			anchor.rows === 0 || anchor.rows === count ? anchor.row : Math.floor((anchor.row * count) / anchor.rows);
		return { entry, piece, row: isSame ? Math.max(0, Math.min(scaled, count - 1)) : 0 };
	}

	anchorAt({ entry, piece, row }: Position): Anchor | undefined {
		const entryId = this.path[entry]?.id;
		if (entryId === undefined) return undefined;
		const { block = 0, part = 0 } = this.pieces(entry)[piece] ?? {};
		return { entryId, block, part, row, rows: this.rows(entry, piece).length };
	}
}

/**
 * The pieces that have been drawn with colors, which is then remembered: a session that grows does not lose them. For each browser,
 * which loads renderers of its own: two in one process would make each other forget.
 */
const coloredWith = memoEach((_: Renderers) => new RecentlyUsed<string, true>(KEPT));

const withoutColors = memoEach((renderers: Renderers): Renderers => ({ ...renderers, highlightCode: () => undefined }));

/** By path, which stays the same list while documents of other widths are made of it. */
const indexesOf = memoEach((path: readonly SessionEntry[]) => new Map(path.map(({ id }, index) => [id, index])));

/** The row at the top of the pane. It stays where it is when the session grows, the pane gets another width, or blocks unfold. */
export interface Anchor {
	readonly entryId: string;
	/** The piece of the entry: its block, and its part of that. */
	readonly block: number;
	readonly part: number;
	/** Row of the piece, from 0, of so many: with another width the same part of the text is at the top. */
	readonly row: number;
	readonly rows: number;
}

export function startOfEntry(entryId: string): Anchor {
	return { entryId, block: 0, part: 0, row: 0, rows: 0 };
}

/** A piece with code in it that is drawn without colors so far. */
export type PlainPiece = Pick<Position, "entry" | "piece">;

/** Pieces of a conversation that are to be drawn again with colors in their code, one in a step. */
export class ColorJob {
	readonly document: ReaderDocument;
	readonly #pieces: readonly PlainPiece[];

	constructor(document: ReaderDocument, pieces: readonly PlainPiece[]) {
		this.document = document;
		this.#pieces = pieces;
	}

	*steps(): Steps<void> {
		for (const { entry, piece } of this.#pieces) {
			this.document.color(entry, piece);
			yield;
		}
	}
}
