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

/** A piece of text as a file may hold it that is read in a terminal: no escape sequences, of the controls only tabs and line ends. */
export function withoutControls(text: string): string {
	return stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replace(CONTROLS, "");
}

/** A few words on one line. */
export function plainLine(text: string): string {
	return withoutControls(text).replace(/\s+/g, " ").trim();
}

/** A text in such pieces. */
export function* plainChunks(text: string): Generator<string> {
	for (const chunk of chunksOf(text)) yield withoutControls(chunk);
}
