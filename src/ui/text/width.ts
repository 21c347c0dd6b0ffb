import { cellWidth, codePointWidth } from "../../shared/cell-width.ts";
import { type Bounds, graphemeAt } from "../../shared/graphemes.ts";
import { type Line, type Span, span, type Tone } from "./line.ts";
import { blanks, type CleanText, cleanText, joinText, sanitizeLine, sliceText } from "./sanitize.ts";

export const ELLIPSIS = cleanText("…");
/** Printable ASCII takes one cell per character, so most text need not be measured. */
const ASCII = /^[ -~]*$/;
/** UTF-16 units around a cut that are searched for the bounds of its grapheme; a longer grapheme is split. */
const NEAR = 32;

export function textWidth(text: CleanText): number {
	return cellWidth(text);
}

/** Length, in UTF-16 units, of the longest start of `text` that fits in `width` cells; never within a grapheme. */
export function fittingLength(text: CleanText, width: number): number {
	// If the first `width` + 1 characters are ASCII, of one cell each, nothing behind them fits.
	if (ASCII.test(text.slice(0, width + 1))) return Math.min(text.length, Math.max(0, width));
	let used = 0;
	let index = 0;
	while (index < text.length) {
		const codePoint = text.codePointAt(index) ?? 0;
		used += codePointWidth(codePoint);
		if (used > width) return graphemeStart(text, index);
		index += codePoint > 0xffff ? 2 : 1;
	}
	return index;
}

/** Cuts a row of text to at most `width` cells, ending in an ellipsis. */
export function cutText(text: CleanText, width: number): CleanText {
	if (width <= 0) return blanks(0);
	if (fittingLength(text, width) === text.length) return text;
	return joinText(sliceText(text, 0, fittingLength(text, width - 1)), ELLIPSIS);
}

/** The same behind a whole word, where one ends in the second half of the room. */
export function cutWords(text: CleanText, width: number): CleanText {
	const cut = cutText(text, width);
	if (cut === text || cut === "") return cut;
	const length = cut.length - ELLIPSIS.length;
	const blank = text[length] === " " ? length : text.lastIndexOf(" ", length);
	return blank * 2 > length ? joinText(sliceText(text, 0, blank), ELLIPSIS) : cut;
}

/** Of the room, what a text may take from those behind it. */
const FIRST_SHARE = 0.6;
/** Cells of the shortest beginning of a text that is worth showing. */
const LEAST_WORDS = 12;

/** A text and those behind it, each with what stands between, as far as there is room: cut behind whole words, or left out. */
export function fitWords(first: Span, behind: readonly (readonly [gap: Span, words: Span])[], room: number): Line {
	const pairs = behind.filter(([, { text }]) => text !== "");
	const rest = pairs.reduce((sum, pair) => sum + lineWidth(pair), 0);
	const line: Span[] = [
		{ ...first, text: cutWords(first.text, Math.max(room - rest, Math.floor(room * FIRST_SHARE))) },
	];
	for (const [gap, words] of pairs) {
		const cells = room - lineWidth([...line, gap]);
		if (cells < Math.min(LEAST_WORDS, textWidth(words.text))) break;
		line.push(gap, { ...words, text: cutWords(words.text, cells) });
	}
	return line.length > 1 ? line : [{ ...first, text: cutWords(first.text, room) }];
}

/** Cuts the start of a row of text to leave at most `width` cells: for paths, whose ends differ most. */
export function cutTextStart(text: CleanText, width: number): CleanText {
	const excess = textWidth(text) - width;
	if (excess <= 0) return text;
	if (width <= 0) return blanks(0);
	// One cell more, for the ellipsis.
	let cells = excess + 1;
	let index = 0;
	while (index < text.length && cells > 0) {
		const codePoint = text.codePointAt(index) ?? 0;
		cells -= codePointWidth(codePoint);
		index += codePoint > 0xffff ? 2 : 1;
	}
	return joinText(ELLIPSIS, sliceText(text, graphemeEnd(text, index)));
}

export function lineWidth(line: Line): number {
	return line.reduce((sum, span) => sum + textWidth(span.text), 0);
}

export function cutLine(line: Line, width: number): Line {
	if (lineWidth(line) <= width) return line;
	const cut: Span[] = [];
	let room = width - 1;
	for (const span of line) {
		const fits = fittingLength(span.text, room);
		if (fits === span.text.length) {
			cut.push(span);
			room -= textWidth(span.text);
			continue;
		}
		if (width > 0) cut.push({ ...span, text: joinText(sliceText(span.text, 0, fits), ELLIPSIS) });
		return cut;
	}
	return cut;
}

/** A line of exactly `width` cells: `left`, spaces, `right`; if both do not fit, `left` is cut first. */
export function joinEnds(left: Line, right: Line, width: number): Line {
	const end = cutLine(right, width);
	const room = width - lineWidth(end);
	return [...padLine(cutLine(left, room), room), ...end];
}

function padLine(line: Line, width: number): Line {
	const missing = width - lineWidth(line);
	return missing > 0 ? [...line, { text: blanks(missing) }] : line;
}

/** The first cells of a line, and the rest. */
export function splitLine(line: Line, cells: number): readonly [start: Line, rest: Line] {
	let room = Math.max(0, cells);
	const halves = line.map((part) => {
		const length = fittingLength(part.text, room);
		room = length < part.text.length ? 0 : room - textWidth(part.text);
		return [sliceText(part.text, 0, length), sliceText(part.text, length)].map((text) => ({ ...part, text }));
	});
	const [start, rest] = [0, 1].map((half) =>
		halves.flatMap((parts) => parts[half] ?? []).filter(({ text }) => text !== ""),
	);
	return [start ?? [], rest ?? []];
}

/** Pads text with spaces on the right to `width` cells. */
export function padText(text: CleanText, width: number): CleanText {
	return joinText(text, blanks(width - textWidth(text)));
}

/** Start of the grapheme that the UTF-16 unit at `index` is in; `index` if the grapheme is too long to be found. */
export function graphemeStart(text: string, index: number): number {
	const near = graphemeNear(text, index);
	return near === undefined || near.from === 0 ? index : near.from;
}

/** End of the grapheme that the units on both sides of `index` are in; `index` if it is between two graphemes. */
function graphemeEnd(text: string, index: number): number {
	return graphemeNear(text, index)?.to ?? index;
}

/** Bounds of the grapheme around `index`; undefined if `index` is between two, or the grapheme is too long. */
function graphemeNear(text: string, index: number): Bounds | undefined {
	if (index <= 0 || index >= text.length) return undefined;
	const start = Math.max(0, index - NEAR);
	const around = text.slice(start, index + NEAR);
	const bounds = graphemeAt(around, index - start);
	if (bounds === undefined || bounds.from === index - start) return undefined;
	if ((bounds.from === 0 && start > 0) || (bounds.to === around.length && index + NEAR < text.length)) return undefined;
	return { from: start + bounds.from, to: start + bounds.to };
}

const MAX_WIDTH = 50;

/** A title, name or label for use in a sentence: “Refactor the import parser”; cut to `width` cells, at most 50. */
export function quote(text: string, width = MAX_WIDTH): string {
	return `“${cutText(sanitizeLine(text), Math.min(width, MAX_WIDTH))}”`;
}

/** A piece of a line that is left out, where the room is short, before all pieces of a lower rank. */
export interface LinePart {
	readonly text: string;
	readonly tone?: Tone;
	/** 0: never left out. */
	readonly rank: number;
	/** What stands between it and the piece before; default: " · ". */
	readonly after?: string;
	readonly press?: string;
}

/** The pieces as one line: first with all of them, then each time without those of the highest rank. */
export function partForms(parts: readonly LinePart[]): readonly Line[] {
	const ranks = [...new Set(parts.map(({ rank }) => rank))].sort((a, b) => b - a);
	return ranks.map((most) => join(parts.filter(({ rank }) => rank <= most)));
}

function join(parts: readonly LinePart[]): Line {
	return parts.flatMap(({ text, tone = "muted", after = " · ", press }, index): Span[] => {
		const part: Span = { text: sanitizeLine(text), tone, ...(press && { press }) };
		return index === 0 ? [part] : [span(after, "frame"), part];
	});
}
