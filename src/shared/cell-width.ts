import stringWidth from "string-width";

/** Printable ASCII takes one cell per character. */
const ASCII = /^[ -~]*$/;

/** Widths of the characters below U+10000, by code point; 255 for one that has not been asked for yet. */
const basicWidths = new Uint8Array(0x10000).fill(255);
const furtherWidths = new Map<number, number>();

/**
 * Width of one row of text in terminal cells: the sum over its code points, 0 for marks and what is never seen, 2 for East
 * Asian wide characters and emoji, 1 for all others. This is how a terminal counts that knows nothing of grapheme clusters
 * (xterm, tmux, most others), and it is additive: however a text is cut into pieces, their widths sum up to its own.
 * There is no other width: what is padded, cut, laid out by Ink and written at a column is measured by this one.
 */
export function cellWidth(text: string): number {
	if (ASCII.test(text)) return text.length;
	let width = 0;
	for (let index = 0; index < text.length; index++) {
		const codePoint = text.codePointAt(index) ?? 0;
		if (codePoint > 0xffff) index++;
		width += codePointWidth(codePoint);
	}
	return width;
}

/** Width of one character in terminal cells: 0, 1 or 2. */
export function codePointWidth(codePoint: number): number {
	if (codePoint > 0xffff) return furtherWidth(codePoint);
	const known = basicWidths[codePoint];
	if (known !== undefined && known !== 255) return known;
	const width = stringWidth(String.fromCodePoint(codePoint));
	basicWidths[codePoint] = width;
	return width;
}

function furtherWidth(codePoint: number): number {
	let width = furtherWidths.get(codePoint);
	if (width === undefined) {
		width = stringWidth(String.fromCodePoint(codePoint));
		furtherWidths.set(codePoint, width);
	}
	return width;
}
