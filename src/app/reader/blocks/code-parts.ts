import type { Part } from "../piece.ts";
import type { BlockContext } from "./context.ts";
import { textParts } from "./text-parts.ts";

/** Code of any length; its language is that of the file's ending. */
export function codeParts(code: string, _path: string, _context: BlockContext): Part[] {
	return textParts(code, { tone: "code" });
}
