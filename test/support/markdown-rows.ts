import { markdownPieces } from "../../src/conversation/render/markdown-pieces.ts";
import { renderMarkdown } from "../../src/conversation/render/render-markdown.ts";
import type { Renderers } from "../../src/conversation/render/renderers.ts";
import type { Line } from "../../src/ui/text/line.ts";

/** The rows of a Markdown text, a piece at a time. */
export function* markdownRows(
	text: string,
	width: number,
	renderers: Renderers | undefined,
): Generator<readonly Line[], void> {
	for (const piece of markdownPieces(text)) yield renderMarkdown(piece, width, renderers);
}
