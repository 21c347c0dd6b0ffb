import type { Tone } from "../../model/view.ts";
import type { Part } from "../piece.ts";
import type { BlockContext } from "./context.ts";
import { textParts } from "./text-parts.ts";

/** What a program printed. */
export function outputParts(text: string, tone: Tone, _context: BlockContext): Part[] {
	return textParts(text, { tone });
}
