import type { Line } from "../../ui/view.ts";

/** The rows of a text, some at a time: little is done for each part, and nothing for parts that nobody asks for. */
export type RowParts = Generator<readonly Line[], void>;

/** Rows of a part. */
const ROWS_PER_PART = 100;

/** Rows in parts. */
export function* inParts(rows: Iterable<Line>): RowParts {
	let part: Line[] = [];
	for (const row of rows) {
		part.push(row);
		if (part.length < ROWS_PER_PART) continue;
		yield part;
		part = [];
	}
	if (part.length > 0) yield part;
}
