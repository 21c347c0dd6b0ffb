import { stripVTControlCharacters } from "node:util";
import { cellWidth } from "../../shared/cell-width.ts";

declare const clean: unique symbol;

/**
 * One row of text that is safe to draw and to print. Only this file makes it, so nothing else can be drawn: the views, and
 * what the commands print, take no other text.
 *
 * It holds no escape sequence, control character, line end, tab, lone surrogate, and nothing that is not seen: format
 * characters, bidirectional controls, all default-ignorable code points. Characters of private use, which mean something only
 * in the font that they were written with, are shown as U+FFFD. It does not begin with a combining mark and has
 * at most `MOST_MARKS` of them in a row, so no text changes the cell before it or is endless in one cell. Emoji are single
 * characters: of a sequence the first one stays, without skin tone, variation selector, keycap or tag. Flags, Indic and
 * other letters that a terminal may join stay as they are: terminals disagree on their width, and the frame stream puts
 * what follows them at its own column.
 */
export type CleanText = string & { readonly [clean]: true };

/** Text of nothing but these is clean as it is: they are one character each, as wide in every terminal. */
const PLAIN =
	/^[ -~\u00a0-\u00ac\u00ae-\u02ff\u0391-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25ff\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3]*$/;
const LINE_ENDS = /\r\n?|[\u2028\u2029]/g;
/** What a terminal obeys; and what each font and terminal shows in its own way, or not at all. */
const WITHOUT_MEANING = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\p{Private_Use}\p{Noncharacter_Code_Point}]/gu;
/** What is not seen, or changes how the character before it looks; and what a zero-width joiner joins. */
const UNSEEN =
	/[[\p{Default_Ignorable_Code_Point}\p{Format}\p{Enclosing_Mark}\u{1f3fb}-\u{1f3ff}]--\u200d]|\u200d\p{Extended_Pictographic}?/gv;
/** Parts that may be one precomposed character: letters with marks, and the parts of Hangul syllables. */
const COMPOSABLE = /\P{M}\p{M}+|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff\uac00-\ud7a3]+/gu;
/** More marks than any language writes on one letter. */
const MOST_MARKS = 6;
const EXCESS_MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, "gu");
const MARK_FIRST = /^\p{M}/u;
/** Carries a mark that has no letter. */
export const MARK_CARRIER = "\u25cc";

/** Tab stops of a terminal, in cells from the start of a line. */
const TAB_STOP = 8;
/** Units of a text that are looked at for one row: more than any terminal shows. */
const LONGEST_ROW = 10_000;

/** The text as one row, blanks as they are; line ends and tabs become blanks. */
export function cleanText(text: string): CleanText {
	if (isPlain(text)) return text;
	return cleanLine(text.replace(LINE_ENDS, "\n").replace(/[\n\t]/g, " "));
}

/** The text as one row: runs of white space, line ends included, become one blank, and the ends are trimmed. */
export function sanitizeLine(text: string): CleanText {
	const bounded = text.length > LONGEST_ROW ? `${startOf(text, LONGEST_ROW)}…` : text;
	return brand(cleanText(bounded).replace(/\s+/g, " ").trim());
}

/** The first `length` UTF-16 units of a text, or one less: half of a character is left out. */
export function startOf(text: string, length: number): string {
	return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

/** The lines of a text, tabs as blanks up to the next tab stop, of which there is one every `tabStop` cells. */
export function cleanLines(text: string, tabStop = TAB_STOP): CleanText[] {
	return text
		.replace(LINE_ENDS, "\n")
		.split("\n")
		.map((line) => (isPlain(line) ? line : expandTabs(cleanLine(line), tabStop)));
}

/** A part of a clean text, from one UTF-16 unit to another, both between characters. */
export function sliceText(text: CleanText, from: number, to?: number): CleanText {
	return brand(withoutLooseMark(text.slice(from, to)));
}

/** Clean texts one after the other. */
export function joinText(...parts: readonly CleanText[]): CleanText {
	return brand(parts.join(""));
}

/** A row of `count` blanks. */
export function blanks(count: number): CleanText {
	return brand(" ".repeat(Math.max(0, count)));
}

function isPlain(text: string): text is CleanText {
	return PLAIN.test(text);
}

function brand(text: string): CleanText {
	return text as CleanText;
}

/** Cleans a text without line ends; tabs stay. */
function cleanLine(text: string): CleanText {
	const seen = stripVTControlCharacters(text).toWellFormed().replace(UNSEEN, "").replace(WITHOUT_MEANING, visibleSign);
	const composed = seen.replace(COMPOSABLE, (part) => part.normalize("NFC")).replace(EXCESS_MARKS, "$1");
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
