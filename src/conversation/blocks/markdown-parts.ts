import { type MarkdownPiece, markdownPieces } from "../render/markdown-pieces.ts";
import { codesIn, type MarkdownLook, renderMarkdown } from "../render/render-markdown.ts";
import { drawnPart } from "./drawn-part.ts";
import type { Part } from "./piece.ts";

/** A Markdown text of any length. */
export function markdownParts(text: string, look?: MarkdownLook): Part[] {
	return Array.from(markdownPieces(text)).map((piece, index, pieces) => ({
		...drawnPart(piece.text, (width, renderers) => [renderMarkdown(piece, width, renderers, look)], {
			isCode: piece.lead !== "" || /```|~~~/.test(piece.text),
		}),
		// A block that is cut is in no piece as a whole.
		codes: (renderers) => (goesOn(piece) || goesOn(pieces[index + 1]) ? [] : codesIn(piece, renderers)),
	}));
}

/** Whether a piece may begin within a block: with its rest, or with a line that may belong to the list or the code above. */
function goesOn(piece: MarkdownPiece | undefined): boolean {
	return piece !== undefined && piece.start > 0 && (!piece.isBlock || /^[ \t]/.test(piece.text));
}
