import { codeRows } from "../../../../conversation/render/render-code.ts";
import type { Part } from "../piece.ts";
import { cutLines } from "./cuts.ts";
import { drawnPart } from "./drawn-part.ts";

/** Code of any length in a language, if it is known. */
export function codeParts(code: string, language: string | undefined): Part[] {
	return cutLines(code).map((part) =>
		drawnPart(part, (width, renderers) => codeRows(part, width, language, renderers), {
			isCode: language !== undefined,
		}),
	);
}
