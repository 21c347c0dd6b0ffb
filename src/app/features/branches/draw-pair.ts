import { type Line, span } from "../../../ui/text/line.ts";
import { cutLine, joinEnds } from "../../../ui/text/width.ts";
import type { ReadRow } from "./draw-path.ts";

/** Two groups of rows that a comparison shows beside each other. */
export interface Pair {
	/** Title when one group is shown below the other; "" for none. */
	readonly name: string;
	readonly left: readonly ReadRow[];
	readonly right: readonly ReadRow[];
}

/** Cells from which the groups are side by side; on narrower screens one is below the other. */
const BESIDE_COLUMNS = 100;
const BETWEEN = " │ ";
const BLANK: ReadRow = { line: [] };

/** Cells of a column. */
export function columnsWidth(width: number): number {
	return width >= BESIDE_COLUMNS ? Math.floor((width - BETWEEN.length) / 2) : Math.max(1, width - MARK.length);
}

/** Starts each row when one group is below the other. */
const MARK = "▏ ";

/** The rows of a pair, followed by a blank one. */
export function pairRows({ name, left, right }: Pair, width: number): ReadRow[] {
	const column = columnsWidth(width);
	if (width >= BESIDE_COLUMNS) {
		const count = Math.max(left.length, right.length) + 1;
		return Array.from({ length: count }, (_, index) => ({
			line: [...padded(left[index], column), span(BETWEEN, "frame"), ...padded(right[index], column)],
		}));
	}
	const title = (mark: string): string => (name === "" ? "" : `${mark} · ${name}`);
	return [...below(title("1"), left, "accent", column), ...below(title("2"), right, "summary", column)];
}

/** A row padded to its column, with its background. */
function padded({ line, ground }: ReadRow = BLANK, width: number): Line {
	const filled = joinEnds(line, [], width);
	return ground === undefined ? filled : filled.map((part) => ({ ground, ...part }));
}

function below(name: string, rows: readonly ReadRow[], tone: "accent" | "summary", width: number): ReadRow[] {
	if (rows.length === 0) return [];
	const title: ReadRow[] = name === "" ? [] : [{ line: cutLine([span(`${MARK}${name}`, tone)], width + MARK.length) }];
	const marked = rows.map(({ line, ground }): ReadRow => {
		const parts = [span(MARK, tone), ...line];
		return ground === undefined ? { line: parts } : { line: parts, ground };
	});
	return [...title, ...marked, BLANK];
}
