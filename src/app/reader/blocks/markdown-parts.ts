import type { Style } from "../../render/markdown-inline.ts";
import { markdownPieces } from "../../render/markdown-pieces.ts";
import { renderMarkdown } from "../../render/render-markdown.ts";
import type { Part } from "../piece.ts";
import { drawnPart } from "./drawn-part.ts";

/** A Markdown text of any length. */
export function markdownParts(text: string, style?: Style): Part[] {
	return Array.from(markdownPieces(text), (piece) =>
		drawnPart(piece.text, (width, renderers) => [renderMarkdown(piece, width, renderers, style)], {
			isCode: piece.lead !== "" || /```|~~~/.test(piece.text),
		}),
	);
}
