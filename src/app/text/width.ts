import fastStringTruncatedWidth from "fast-string-truncated-width";
import fastStringWidth from "fast-string-width";
import type { Line, Span } from "../view.ts";

const ELLIPSIS = "…";

/** Width of one row of text in terminal cells. */
export function textWidth(text: string): number {
	return fastStringWidth(text);
}

/** Cuts one row of text to at most `width` cells; what was cut is shown by an ellipsis. */
export function cutText(text: string, width: number): string {
	if (width <= 0) return "";
	const result = fastStringTruncatedWidth(text, { limit: width, ellipsis: ELLIPSIS, ellipsisWidth: 1 });
	if (!result.truncated) return text;
	return text.slice(0, result.index) + (result.ellipsed ? ELLIPSIS : "");
}

/** The end of a row of text in at most `width` cells, for paths, whose ends tell most. */
export function cutTextStart(text: string, width: number): string {
	if (textWidth(text) <= width) return text;
	if (width <= 0) return "";
	let rest = [...text];
	while (rest.length > 0 && textWidth(rest.join("")) > width - 1) rest = rest.slice(1);
	return ELLIPSIS + rest.join("");
}

/** Width of a line in terminal cells. */
export function lineWidth(line: Line): number {
	return line.reduce((sum, span) => sum + textWidth(span.text), 0);
}

/** Cuts a line to at most `width` cells. */
export function cutLine(line: Line, width: number): Line {
	if (lineWidth(line) <= width) return line;
	const cut: Span[] = [];
	let left = width;
	for (const span of line) {
		const spanWidth = textWidth(span.text);
		// A span that fits to the last cell is cut too, because something after it is lost and that must be seen.
		if (spanWidth < left) {
			cut.push(span);
			left -= spanWidth;
			continue;
		}
		cut.push({ ...span, text: cutText(`${span.text}  `, left) });
		break;
	}
	return cut;
}

/** A line of exactly `width` cells: `left`, then spaces, then `right`; when both do not fit, `left` is cut. */
export function joinEnds(left: Line, right: Line, width: number): Line {
	const rightWidth = lineWidth(right);
	if (rightWidth >= width) return padLine(cutLine(left, width), width);
	const cut = cutLine(left, width - rightWidth);
	return [...cut, { text: " ".repeat(width - rightWidth - lineWidth(cut)) }, ...right];
}

/** Fills a line with spaces to `width` cells. */
export function padLine(line: Line, width: number): Line {
	const missing = width - lineWidth(line);
	return missing > 0 ? [...line, { text: " ".repeat(missing) }] : line;
}

/** Pads text with spaces on the right to `width` cells. */
export function padText(text: string, width: number): string {
	return text + " ".repeat(Math.max(0, width - textWidth(text)));
}
