import { memoEach, RecentlyUsed } from "../../shared/memo.ts";
import type { Line } from "../../ui/text/line.ts";
import { cleanLines } from "../../ui/text/sanitize.ts";
import { CODE_TAB_STOP } from "./code-lines.ts";
import { BlockDrawer, plainRows } from "./markdown-blocks.ts";
import type { Style } from "./markdown-inline.ts";
import type { MarkdownPiece } from "./markdown-pieces.ts";
import type { MarkdownBlock } from "./read-markdown.ts";
import type { Renderers } from "./renderers.ts";

/** Number of pieces that are cached: more than on a screen and the pages around it. */
const CACHED = 64;
const cacheOf = memoEach((_: Renderers) => new RecentlyUsed<string, readonly Line[]>(CACHED));

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
	const key = [width, isPlain, isBlock && start > 0, JSON.stringify(look), lead, text].join("\n");
	return cacheOf(renderers).get(key, () => drawPiece(piece, width, renderers, look));
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
			: new BlockDrawer(renderers).rows(renderers.readMarkdown(piece.lead + text, breaks), width, style);
	return piece.isBlock && piece.start > 0 && rows.length > 0 ? [[], ...rows] : rows;
}

/** The code blocks of a piece of Markdown as they are written, in drawing order; undefined for one that is not certain. */
export function codesIn(
	{ text, lead, isPlain }: MarkdownPiece,
	renderers: Renderers,
): ReadonlyArray<string | undefined> {
	if (isPlain) return [];
	const drawn = [...codesOf(renderers.readMarkdown(lead + cleanPiece(text)))];
	// The drawn text is cleaned before it is lexed and has no tabs.
	const written = [...codesOf(renderers.readMarkdown(lead + text))];
	return drawn.map(({ text: shown }, index) => {
		const code = written.length === drawn.length ? written[index] : undefined;
		if (code === undefined || lettersOf(code.text) !== lettersOf(shown)) return undefined;
		// In a list the lexer turns tabs into spaces.
		return code.isInList && text.includes("\t") ? undefined : code.text;
	});
}

/** A piece cleaned for drawing: no raw escape sequence is left in it. */
function cleanPiece(text: string): string {
	return cleanLines(text, CODE_TAB_STOP).join("\n");
}

interface Code {
	readonly text: string;
	readonly isInList: boolean;
}

function* codesOf(blocks: readonly MarkdownBlock[], isInList = false): Generator<Code, void> {
	for (const block of blocks) {
		if (block.kind === "code") yield { text: block.text, isInList };
		else if (block.kind === "quote") yield* codesOf(block.blocks, isInList);
		else if (block.kind === "list") yield* block.items.values().flatMap((item) => codesOf(item.blocks, true));
	}
}

/** The characters of code that cleaning leaves as they are. */
function lettersOf(code: string): string {
	return cleanPiece(code).replace(/\s+/g, "");
}
