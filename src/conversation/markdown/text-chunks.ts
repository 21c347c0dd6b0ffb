import { stripVTControlCharacters } from "node:util";

/** Characters of one piece of a text: worked on in a millisecond or two. */
const CHUNK = 32_000;

/** A text in pieces that are worked on one at a time, so that one of any length blocks nothing; no character is split. */
export function* chunksOf(text: string): Generator<string> {
	for (let from = 0; from < text.length; ) {
		let to = Math.min(text.length, from + CHUNK);
		// Not between the halves of a character, nor between "\r" and "\n".
		while (to < text.length && /[\ud800-\udbff\r]/.test(text.charAt(to - 1)) && to > from + 1) to -= 1;
		yield text.slice(from, to);
		from = to;
	}
}

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Line ends that a quote, a heading or a cell of a table would end with. */
const OTHER_LINE_ENDS = /[\u2028\u2029]/g;
/** What changes the order of characters, or is not seen: no text may look like another one. Emoji and letters that are joined stay. */
const UNSEEN =
	/[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/**
 * A piece of text as a file may hold it that is read in a terminal: no escape sequences, of the controls only tabs and line
 * ends, and nothing that reorders or hides text.
 */
export function withoutControls(text: string): string {
	const plain = stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replace(CONTROLS, "");
	return plain.replace(OTHER_LINE_ENDS, " ").replace(UNSEEN, "");
}

/** A few words on one line. */
export function plainLine(text: string): string {
	return withoutControls(text).replace(/\s+/g, " ").trim();
}

/** A text in such pieces. */
export function* plainChunks(text: string): Generator<string> {
	for (const chunk of chunksOf(text)) yield withoutControls(chunk);
}
