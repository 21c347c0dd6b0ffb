import type { Line, Tone } from "../../ui/text/line.ts";
import type { Part, ReaderRow } from "./piece.ts";

/** Lines as rows; what has no tone of its own gets this one. */
function rowsOf(lines: Iterable<readonly Line[]>, tone?: Tone): ReaderRow[] {
	const rows: ReaderRow[] = [];
	for (const part of lines)
		for (const line of part) rows.push({ line: tone === undefined ? line : line.map((span) => ({ tone, ...span })) });
	return rows;
}

/** A text of bounded length that is drawn in parts. */
export function drawnPart(
	text: string,
	lines: (...args: Parameters<Part["draw"]>) => Iterable<readonly Line[]>,
	look: { readonly tone?: Tone; readonly isCode?: boolean } = {},
): Part {
	const { tone, isCode = false } = look;
	return { text, isCode, draw: (width, renderers) => rowsOf(lines(width, renderers), tone) };
}
