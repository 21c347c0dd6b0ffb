import { wrapOpenLines } from "./open-line.ts";
import { inParts, type RowParts } from "./row-parts.ts";
import { shellLines } from "./shell-lines.ts";
import type { Pen } from "./shell-pen.ts";

/**
 * What a program printed in rows of `width` cells: its colors stay, whatever else it does to the terminal goes. `pen` is
 * how it draws at the start, for a part of an output (`penAt`).
 */
export function shellRows(text: string, width: number, pen?: Pen): RowParts {
	return inParts(wrapOpenLines(shellLines(text, pen), width).flatMap(({ rows }) => rows));
}
