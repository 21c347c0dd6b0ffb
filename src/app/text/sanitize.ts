import { stripVTControlCharacters } from "node:util";

const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Text of nothing but these is safe as it is. */
const PLAIN = /^[\n -~]*$/;
/**
 * Skin tones, variation selectors, and what a zero-width joiner joins: terminals disagree on their width, and one cell of
 * disagreement breaks the whole row. The first emoji of a sequence stays.
 */
const EMOJI_EXTRAS = /[\u{1f3fb}-\u{1f3ff}\ufe0e\ufe0f\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic}?/gu;
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g;

/** What a tab becomes. */
const TAB = "    ";

/**
 * Makes text from a session safe to draw: removes escape sequences and bidirectional controls, replaces other control
 * characters by visible signs, every kind of line end by "\n", tabs by spaces, and lone surrogates by U+FFFD.
 */
export function sanitizeText(text: string): string {
	if (PLAIN.test(text)) return text;
	return stripVTControlCharacters(text.replace(LINE_ENDS, "\n"))
		.toWellFormed()
		.replaceAll("\t", TAB)
		.replace(BIDI_CONTROLS, "")
		.replace(EMOJI_EXTRAS, "")
		.replace(CONTROLS, visibleSign);
}

/** The same for a single row: runs of white space, line ends included, become one space, and the ends are trimmed. */
export function sanitizeLine(text: string): string {
	return sanitizeText(text).replace(/\s+/g, " ").trim();
}

function visibleSign(character: string): string {
	const code = character.charCodeAt(0);
	if (code < 0x20) return String.fromCharCode(0x2400 + code);
	return code === 0x7f ? "\u2421" : "\ufffd";
}
