import { stripVTControlCharacters } from "node:util";
import { cellWidth } from "../../shared/cell-width.ts";

declare const clean: unique symbol;

/**
 * One row of text that is safe to draw and to print. Only this file makes it, and views and commands take no other text, so
 * nothing else reaches the terminal.
 *
 * It holds no escape sequence, control character, line end, tab or lone surrogate, and nothing invisible: format characters,
 * bidirectional controls, all default-ignorable code points. Private-use characters, which mean something only in one font,
 * become U+FFFD. It does not begin with a combining mark and has at most `MAX_MARKS` of them in a row, so no text changes
 * the cell before it or grows without end in one cell. Emoji are single characters: of a sequence only the first one stays,
 * without skin tone, variation selector, keycap or tag. Flags, Indic and other letters that a terminal may join stay as they
 * are: terminals disagree on their width, so the frame stream moves the cursor to the column of what follows them.
 */
export type CleanText = string & { readonly [clean]: true };

/** Text of only these is already clean: they are single characters with the same width in every terminal. */
const PLAIN =
	/^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25ff\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3]*$/;
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g;
/** What becomes a space in a single row. */
const BREAKS = /\r\n?|[\n\t\u2028\u2029]/g;
/** White space other than a single space. */
const WIDE_SPACE = / \s+|[^\S ]\s*/g;
/** Controls, and characters that each font and terminal shows differently or not at all. */
const WITHOUT_MEANING = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\p{Private_Use}\p{Noncharacter_Code_Point}]/gu;
/** Characters that are invisible or change the one before them, and what a zero-width joiner joins. */
const UNSEEN =
	/[[\p{Default_Ignorable_Code_Point}\p{Format}\p{Enclosing_Mark}\u{1f3fb}-\u{1f3ff}]--\u200d]|\u200d\p{Extended_Pictographic}?/gv;
/** Sequences that may have a precomposed form: letters with marks, and Hangul jamo. */
const COMPOSABLE = /\P{M}\p{M}+|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uac00-\ud7a3]+/gu;
/** More marks than any language puts on one letter. */
const MAX_MARKS = 6;
const EXCESS_MARKS = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, "gu");
const MARK_FIRST = /^\p{M}/u;
/** Carries a mark that has no letter (dotted circle). */
export const MARK_CARRIER = "\u25cc";

/** Distance between the tab stops of a terminal, in cells. */
const TAB_STOP = 8;
/** UTF-16 units of a text used for one row: more than any terminal shows. */
const MAX_ROW = 10_000;

/** The text as one row; spaces stay as they are, line ends and tabs become spaces. */
export function cleanText(text: string): CleanText {
	if (isPlain(text)) return text;
	const row = text.replace(BREAKS, " ");
	// Most prompts with several lines have nothing else that must be cleaned, which takes ten times as long.
	return isPlain(row) ? row : cleanLine(row);
}

const ESCAPE_SIGNS: Readonly<Record<string, string>> = { "\u001b": "\u241b", "\u009b": "\ufffd" };

/** The same for a text whose escape characters begin no sequence: they are shown, and take no text with them. */
export function cleanLiteral(text: string): CleanText {
	return cleanText(text.replace(/[\u001b\u009b]/g, (character) => ESCAPE_SIGNS[character] ?? character));
}

/** The text as one trimmed row, in which runs of white space, line ends included, become one space. */
export function sanitizeLine(text: string): CleanText {
	const bounded = text.length > MAX_ROW ? `${startOf(text, MAX_ROW)}…` : text;
	return brand(cleanText(bounded).replace(WIDE_SPACE, " ").trim());
}

/** The first `length` UTF-16 units of a text, or one less, so as not to split a surrogate pair. */
export function startOf(text: string, length: number): string {
	return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** The lines of a text, with tabs expanded to stops every `tabStop` cells. */
export function cleanLines(text: string, tabStop = TAB_STOP): CleanText[] {
	return text
		.replace(LINE_ENDS, "\n")
		.split("\n")
		.map((line) => (isPlain(line) ? line : expandTabs(cleanLine(line), tabStop)));
}

/** A part of a clean text; `from` and `to` are UTF-16 offsets between characters. */
export function sliceText(text: CleanText, from: number, to?: number): CleanText {
	return brand(withoutLooseMark(text.slice(from, to)));
}

export function joinText(...parts: readonly CleanText[]): CleanText {
	return brand(parts.join(""));
}

export function blanks(count: number): CleanText {
	return brand(" ".repeat(Math.max(0, count)));
}

function isPlain(text: string): text is CleanText {
	return PLAIN.test(text);
}

function brand(text: string): CleanText {
	return text as CleanText;
}

/** Cleans a text without line ends, except for its tabs. */
function cleanLine(text: string): CleanText {
	const visible = stripVTControlCharacters(text)
		.toWellFormed()
		.replace(UNSEEN, "")
		.replace(WITHOUT_MEANING, visibleSign);
	const composed = visible.replace(COMPOSABLE, (part) => part.normalize("NFC")).replace(EXCESS_MARKS, "$1");
	return brand(withoutLooseMark(composed));
}

function withoutLooseMark(text: string): string {
	return MARK_FIRST.test(text) ? MARK_CARRIER + text : text;
}

function expandTabs(line: CleanText, tabStop: number): CleanText {
	if (!line.includes("\t")) return line;
	const [first = "", ...rest] = line.split("\t");
	let expanded = first;
	let width = cellWidth(first);
	for (const part of rest) {
		const missing = tabStop - (width % tabStop);
		expanded += " ".repeat(missing) + part;
		width += missing + cellWidth(part);
	}
	return brand(expanded);
}

function visibleSign(character: string): string {
	const code = character.charCodeAt(0);
	if (code < 0x20) return String.fromCharCode(0x2400 + code);
	return code === 0x7f ? "\u2421" : "\ufffd";
}
