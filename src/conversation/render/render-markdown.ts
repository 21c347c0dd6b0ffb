import { RecentlyUsed } from "../../shared/recently-used.ts";
import type { Line } from "../../ui/text/line.ts";
import { BlockDrawer, plainRows } from "./markdown-blocks.ts";
import { cleanPiece } from "./markdown-code.ts";
import type { Style } from "./markdown-inline.ts";
import type { MarkdownPiece } from "./markdown-pieces.ts";
import type { Renderers } from "./renderers.ts";

/** Number of pieces that are cached: more than on a screen and the pages around it. */
const CACHED = 64;
const cache = new WeakMap<Renderers, RecentlyUsed<string, readonly Line[]>>();

/** How Markdown looks. */
export interface MarkdownLook extends Style {
	/** Whether the line ends within a paragraph stay, as a person typed them. Default: they are blanks. */
	readonly breaks?: boolean;
}

/** A piece of a Markdown text in rows of `width` cells, after a blank row if it begins with a block and is not the first. */
export function renderMarkdown(
	piece: MarkdownPiece,
	width: number,
	renderers: Renderers | undefined,
	look: MarkdownLook = {},
): readonly Line[] {
	const { text, start, lead, isBlock, isPlain } = piece;
	if (width < 1) return [];
	if (renderers === undefined) return drawPiece(piece, width, renderers, look);
	const known = cache.get(renderers) ?? new RecentlyUsed(CACHED);
	cache.set(renderers, known);
	const key = [width, isPlain, isBlock && start > 0, JSON.stringify(look), lead, text].join("\n");
	return known.get(key, () => drawPiece(piece, width, renderers, look));
}

function drawPiece(
	piece: MarkdownPiece,
	width: number,
	renderers: Renderers | undefined,
	{ breaks = false, ...style }: MarkdownLook,
): readonly Line[] {
	// Clean first: the lexer sees no raw escape sequence, and its offsets are those of the clean text.
	const text = cleanPiece(piece.text);
	const rows =
		piece.isPlain || renderers === undefined
			? plainRows(text, width, style)
			: new BlockDrawer(renderers).rows(renderers.lexMarkdown(piece.lead + text, breaks), width, style);
	return piece.isBlock && piece.start > 0 && rows.length > 0 ? [[], ...rows] : rows;
}
