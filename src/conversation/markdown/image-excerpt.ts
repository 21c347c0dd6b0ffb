import type { ImageExcerpt } from "./excerpt.ts";

/** Characters of one piece; a multiple of four, which are three bytes. */
const PIECE = 64 * 1024;

/** The base64 text in pieces, of which several in a row may be decoded together, without whatever does not belong into it. */
export function* imagePieces({ base64 }: Pick<ImageExcerpt, "base64">): Generator<string> {
	let rest = "";
	for (let from = 0; from < base64.length; from += PIECE) {
		const text = rest + base64.slice(from, from + PIECE).replace(/[^A-Za-z0-9+/_-]/g, "");
		const end = text.length - (text.length % 4);
		rest = text.slice(end);
		yield text.slice(0, end);
	}
	yield rest;
}
