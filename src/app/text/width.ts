import stringWidth from "string-width";
import type { Line, Span } from "../model/view.ts";

const ELLIPSIS = "…";
/** Printable ASCII takes one cell per character, so most text need not be segmented. */
const ASCII = /^[ -~]*$/;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const widths = new Map<string, number>();
/** Widths of whole texts: every key measures mostly the same rows. */
const textWidths = new Map<string, number>();
/** More texts than any screen shows; when this many are stored, all are dropped. */
const MAX_TEXTS = 4000;

/** Width of one row of text in terminal cells: the sum over its graphemes, as Ink measures it. */
export function textWidth(text: string): number {
	if (ASCII.test(text)) return text.length;
	const known = textWidths.get(text);
	if (known !== undefined) return known;
	let width = 0;
	for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
	if (textWidths.size >= MAX_TEXTS) textWidths.clear();
	textWidths.set(text, width);
	return width;
}

/** Length, in UTF-16 units, of the longest start of `text` that fits in `width` cells; never inside a grapheme. */
export function fittingLength(text: string, width: number): number {
	// ASCII in front, one cell each, decides alone: what follows cannot fit.
	if (ASCII.test(text.slice(0, width + 1))) return Math.min(text.length, Math.max(0, width));
	let used = 0;
	for (const { segment, index } of segmenter.segment(text)) {
		used += graphemeWidth(segment);
		if (used > width) return index;
	}
	return text.length;
}

/** Cuts one row of text to at most `width` cells, with an ellipsis where it was cut. */
export function cutText(text: string, width: number): string {
	if (width <= 0) return "";
	if (fittingLength(text, width) === text.length) return text;
	return text.slice(0, fittingLength(text, width - 1)) + ELLIPSIS;
}

/** Cuts the start of a row of text to leave at most `width` cells: for paths, which differ most at their ends. */
export function cutTextStart(text: string, width: number): string {
	let excess = textWidth(text) - width;
	if (excess <= 0) return text;
	if (width <= 0) return "";
	for (const { segment, index } of segmenter.segment(text)) {
		if (excess < 0) return ELLIPSIS + text.slice(index);
		excess -= graphemeWidth(segment);
	}
	return ELLIPSIS;
}

/** Width of a line in terminal cells. */
export function lineWidth(line: Line): number {
	return line.reduce((sum, span) => sum + textWidth(span.text), 0);
}

/** Cuts a line to at most `width` cells, with an ellipsis where it was cut. */
export function cutLine(line: Line, width: number): Line {
	if (lineWidth(line) <= width) return line;
	const cut: Span[] = [];
	let left = width - 1;
	for (const span of line) {
		const fits = fittingLength(span.text, left);
		if (fits === span.text.length) {
			cut.push(span);
			left -= textWidth(span.text);
			continue;
		}
		if (width > 0) cut.push({ ...span, text: span.text.slice(0, fits) + ELLIPSIS });
		return cut;
	}
	return cut;
}

/** A line of exactly `width` cells: `left`, then spaces, then `right`; when both do not fit, `left` is cut first. */
export function joinEnds(left: Line, right: Line, width: number): Line {
	const end = cutLine(right, width);
	const room = width - lineWidth(end);
	return [...padLine(cutLine(left, room), room), ...end];
}

/** Fills a line with spaces to `width` cells. */
function padLine(line: Line, width: number): Line {
	const missing = width - lineWidth(line);
	return missing > 0 ? [...line, { text: " ".repeat(missing) }] : line;
}

/** Pads text with spaces on the right to `width` cells. */
export function padText(text: string, width: number): string {
	return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

function graphemeWidth(grapheme: string): number {
	let width = widths.get(grapheme);
	if (width === undefined) {
		width = stringWidth(grapheme);
		widths.set(grapheme, width);
	}
	return width;
}
