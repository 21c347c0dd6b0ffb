import type { Line } from "../../../ui/text/line.ts";
import { span } from "../../../ui/text/span.ts";
import { cutLine, joinEnds } from "../../../ui/text/width.ts";
import type { ReadRow } from "./draw-path.ts";

/** What stands beside each other in a comparison. */
export interface Pair {
	/** What it is, where the one stands below the other; "" where that need not be said. */
	readonly name: string;
	readonly left: readonly ReadRow[];
	readonly right: readonly ReadRow[];
}

/** From this width on two columns stand side by side, else what would be beside the other stands below it. */
const BESIDE_COLUMNS = 100;
const BETWEEN = " │ ";
const BLANK: ReadRow = { line: [] };

/** Cells of a column. */
export function columnsWidth(width: number): number {
	return width >= BESIDE_COLUMNS ? Math.floor((width - BETWEEN.length) / 2) : Math.max(1, width - MARK.length);
}

/** Before each row, where one stands below the other. */
const MARK = "▏ ";

/** The rows of a pair, and a blank one. */
export function pairRows({ name, left, right }: Pair, width: number): ReadRow[] {
	const column = columnsWidth(width);
	if (width >= BESIDE_COLUMNS) {
		const count = Math.max(left.length, right.length) + 1;
		return Array.from({ length: count }, (_, index) => ({
			line: [...whole(left[index], column), span(BETWEEN, "frame"), ...whole(right[index], column)],
		}));
	}
	const title = (mark: string): string => (name === "" ? "" : `${mark} · ${name}`);
	return [...below(title("1"), left, "accent", column), ...below(title("2"), right, "summary", column)];
}

/** A row as wide as its column, on its own ground. */
function whole({ line, ground }: ReadRow = BLANK, width: number): Line {
	const padded = joinEnds(line, [], width);
	return ground === undefined ? padded : padded.map((part) => ({ ground, ...part }));
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
