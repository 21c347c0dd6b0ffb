import stringWidth from "string-width";

/** Printable ASCII takes one cell per character. */
const ASCII = /^[ -~]*$/;

/** Widths of the characters below U+10000, by code point; 255: not computed yet. */
const basicWidths = new Uint8Array(0x10000).fill(255);
const furtherWidths = new Map<number, number>();

/**
 * Width of one row of text in terminal cells: the sum over its code points, 0 for combining marks and invisible characters,
 * 2 for East Asian wide characters and emoji, 1 for all others. This is how a terminal without grapheme clusters counts
 * (xterm, tmux, most others), and it is additive: however a text is cut, the widths of its pieces add up to its own.
 * Padding, cutting, Ink's layout and column positions all use this width and no other.
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
