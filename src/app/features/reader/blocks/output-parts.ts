import { shellRows } from "../../../../conversation/render/render-shell.ts";
import { penAt } from "../../../../conversation/render/shell-lines.ts";
import type { Tone } from "../../../../ui/view.ts";
import type { Part } from "../piece.ts";
import { cutLines } from "./cuts.ts";
import { drawnPart } from "./drawn-part.ts";

/** What a program printed, in its own colors; the rest of it in this tone. */
export function outputParts(text: string, tone: Tone): Part[] {
	let next = 0;
	return cutLines(text).map((part) => {
		const start = next;
		next += part.length;
		return drawnPart(part, (width) => shellRows(part, width, penAt(text, start)), { tone });
	});
}
