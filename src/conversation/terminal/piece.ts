import { type Ground, type Line, type Span, span, strong } from "../../ui/text/line.ts";
import { blanks } from "../../ui/text/sanitize.ts";
import type { DiffLine } from "../render/diff-lines.ts";
import type { Renderers } from "../render/renderers.ts";

export interface ShownFileLine {
	/** The file, as the call names it. */
	readonly path: string;
	/** The line, and what the call did to it: "same" if it only showed it. */
	readonly line: DiffLine;
}

export interface ReaderRow {
	/** At most as wide as the text of the pane. */
	readonly line: Line;
	/** What the whole row stands on. */
	readonly ground?: Ground | undefined;
	/** The block that `o` opens, in the row that says that there is more of it. */
	readonly fold?: string | undefined;
	/** The run of a subagent that a click opens: its key. */
	readonly run?: string | undefined;
	readonly file?: ShownFileLine | undefined;
	/** What stands in the left margin of a full page: the turn, a label. */
	readonly margin?: Line | undefined;
}

/** Some text of bounded size that is laid out on its own, when it is in sight. */
export interface Part {
	readonly text: string;
	/** The block that is to be unfolded to see this text. */
	readonly fold?: string | undefined;
	/** The block that this is a part of, where it was unfolded by itself. */
	readonly unfolded?: string | undefined;
	/** The image that it stands for, in base64. */
	readonly image?: string;
	/** Whether code in it may be highlighted, which takes longer than a frame has. */
	readonly isCode?: boolean;
	/** Whether it takes all of the width beside the margin of a page (`ReaderOptions.wideWidth`), as differences do. */
	readonly isWide?: boolean;
	/** The blocks of code in it, as they are written, in the order of its rows; undefined for one that is not known so. */
	readonly codes?: (renderers: Renderers) => ReadonlyArray<string | undefined>;
	/** Its rows; none for what the person does not want to see. Without renderers text is drawn as it is. */
	readonly draw: (width: number, renderers: Renderers | undefined) => readonly ReaderRow[];
}

/** What belongs together: a thought, an answer, the output of a command. Any options leave the blocks of an entry the same. */
export interface Block {
	readonly parts: readonly Part[];
	/** What stands in the gutter before its first row: "❯ ", "$ ". @default nothing */
	readonly sign?: Span | undefined;
	/** Whether a blank row follows. */
	readonly gap: boolean;
	/** Whether it is what copying its entry takes: what was said, printed or changed. @default false */
	readonly isCopied?: boolean;
}

export interface Piece extends Part {
	/** Index of the block, from 0. */
	readonly block: number;
	/** Index in the block, from 0. */
	readonly part: number;
	readonly gap: boolean;
	readonly isCopied: boolean;
}

export function piecesOf(blocks: Iterable<Block>): Piece[] {
	const pieces: Piece[] = [];
	let block = 0;
	for (const { parts, gap, isCopied = false } of blocks) {
		const last = parts.length - 1;
		for (const [part, one] of parts.entries())
			pieces.push({ ...one, block, part, gap: gap && part === last, isCopied });
		block++;
	}
	return pieces;
}

/** Signs in the gutter: of what is folded, what is unfolded, and what failed. */
export const FOLDED = span("▸ ", "muted");
export const UNFOLDED = span("▾ ", "muted");
export const FAILED = strong("✗ ", "error");

/** A blank row, after blocks that may be empty. */
export const BLANK: Block = { parts: [{ text: "", draw: () => [{ line: [{ text: blanks(0) }] }] }], gap: false };

/** What stands in its place where no row is wanted: an entry has the same blocks however it is drawn. */
export const NO_ROWS: Block = { parts: [{ text: "", draw: () => [] }], gap: false };
