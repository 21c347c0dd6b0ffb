import type { Part } from "../piece.ts";
import type { BlockContext } from "./context.ts";
import { textParts } from "./text-parts.ts";

/** A Markdown text of any length. */
export function markdownParts(text: string, _context: BlockContext): Part[] {
	return textParts(text);
}
