import type { Ground, Line, Tone } from "../../ui/text/line.ts";
import { blanks, type CleanText, cleanText } from "../../ui/text/sanitize.ts";
import { wrapText } from "../../ui/text/wrap.ts";
import { cutLines, withoutLineEnd } from "./cuts.ts";
import type { Part, ReaderRow } from "./piece.ts";

/** How plain text looks. */
export interface TextLook {
	readonly tone?: Tone;
	readonly bold?: boolean;
	readonly ground?: Ground;
	/** Before the first row; the others are indented as far. */
	readonly sign?: string;
}

/** Plain text of any length. */
export function textParts(text: string, look: TextLook = {}): Part[] {
	return cutLines(text).map((part, index) => ({
		text: part,
		draw: (width) => textRows(withoutLineEnd(part), width, look, index === 0),
	}));
}

/** Plain text of bounded length in rows. */
function textRows(text: string, width: number, look: TextLook = {}, isFirst = true): ReaderRow[] {
	const sign = cleanText(look.sign ?? "");
	const indent = sign.length < width ? sign : blanks(0);
	return wrapText(text, Math.max(1, width - indent.length)).map((row, index) => ({
		line: lineOf(row, isFirst && index === 0 ? indent : blanks(indent.length), look),
		ground: look.ground,
	}));
}

function lineOf(text: CleanText, before: CleanText, { tone, bold = false }: TextLook): Line {
	const style = { ...(tone === undefined ? {} : { tone }), bold };
	return before === ""
		? [{ text, ...style }]
		: [
				{ text: before, ...style },
				{ text, ...style },
			];
}
