import type { Tone } from "../../model/view.ts";
import { shellRows } from "../../render/render-shell.ts";
import type { Part } from "../piece.ts";
import { cutLines } from "./cuts.ts";
import { drawnPart } from "./drawn-part.ts";

/** What a program printed, in its own colors; the rest of it in this tone. */
export function outputParts(text: string, tone: Tone): Part[] {
	return cutLines(text).map((part) => drawnPart(part, (width) => shellRows(part, width), { tone }));
}
