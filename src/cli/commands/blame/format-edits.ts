import type { LineChange } from "../../../conversation/entries/line-change.ts";
import { largest } from "../../../shared/columns.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutTextStart, lineWidth, textWidth } from "../../../ui/text/width.ts";

/** A reservation that is printed with all lists of edits. */
export const NOT_SEEN = "what shell commands changed is not seen";

/** "  +12  −3", each column as wide as its widest cell in `all`. */
export function changeSpans(change: LineChange, all: readonly LineChange[]): Line {
	return [...column("+", "added", change, all), ...column("−", "removed", change, all)];
}

/** A line that ends with a path, cut at its start to `columns`; the file's name is whole, also if the line is longer then. */
export function withFileName(before: Line, path: string, columns: number): Line {
	const name = sanitizeLine(path.slice(path.lastIndexOf("/") + 1));
	const least = textWidth(name) + CUT_MARK.length;
	return [...before, span(cutTextStart(sanitizeLine(path), Math.max(columns - lineWidth(before), least)))];
}

/** What is left of the directories of a path of which only the file's name fits. */
const CUT_MARK = "…/";

function column(sign: string, which: "added" | "removed", change: LineChange, all: readonly LineChange[]): Span[] {
	const width = largest(all.map((one) => textOf(sign, one[which]).length));
	return [span(`${textOf(sign, change[which]).padStart(width)}  `, which)];
}

function textOf(sign: string, lines: number): string {
	return lines === 0 ? "" : `${sign}${formatCount(lines)}`;
}

/** A time for JSON; null for an unknown one. */
export function isoOf(timeMs: number): string | null {
	return Number.isNaN(timeMs) ? null : new Date(timeMs).toISOString();
}
