import { codeLines } from "./code-lines.ts";
import { wrapOpenLines } from "./open-line.ts";
import type { Renderers } from "./renderers.ts";
import { inParts, type RowParts } from "./row-parts.ts";

/**
 * A code, or the text of a file, in rows of `width` cells. `language` is what a fence says, or what `languageOfPath` knows;
 * it is never guessed.
 */
export function codeRows(
	code: string,
	width: number,
	language: string | undefined,
	renderers: Renderers | undefined,
): RowParts {
	return inParts(wrapOpenLines(codeLines(code, language, renderers), width).flatMap(({ rows }) => rows));
}
