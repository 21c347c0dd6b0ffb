import { codePointWidth } from "../shared/cell-width.ts";

/** A style, a link or a character; the text has no other sequences. */
const PARTS = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|./gsu;
const LINK = "\x1b]8;";
/** The end of a link, in either form. */
const LINK_ENDS = /^\x1b\]8;;(?:\x07|\x1b\\)$/;
const RESETS = /^\x1b\[0?m$/;
const MARK = /^\p{M}/u;

/** A part of a row. */
export interface StyledPart {
	readonly text: string;
	/** In cells. */
	readonly width: number;
}

/**
 * Cuts the cells `from` to `to` out of a row of text, with the styles and the link in effect there, which end with it. A
 * character that is only partly within, or joined to one before, becomes spaces.
 */
export function cutStyled(text: string, from: number, to: number): StyledPart {
	let styles = "";
	let link = "";
	let cut = "";
	let column = 0;
	let width = 0;
	const add = (part: string, cells: number): void => {
		if (cut === "") cut = link + styles;
		cut += part;
		width += cells;
	};
	for (const [part] of text.matchAll(PARTS)) {
		if (part.startsWith("\x1b")) {
			if (column >= to) break;
			if (part.startsWith(LINK)) link = LINK_ENDS.test(part) ? "" : part;
			else styles = RESETS.test(part) ? "" : styles + part;
			if (cut !== "") cut += part;
			continue;
		}
		const cells = codePointWidth(part.codePointAt(0) ?? 0);
		if (column >= to && cells > 0) break;
		const end = column + cells;
		const isWhole = column >= from && end <= to && (column > from || !MARK.test(part));
		if (cells === 0) {
			// A mark belongs to the character before it.
			if (column > from && column <= to && width > 0) add(part, 0);
		} else if (isWhole) add(part, cells);
		else {
			const missing = Math.min(end, to) - Math.max(column, from);
			if (missing > 0) add(" ".repeat(missing), missing);
		}
		column = end;
	}
	const ends = (styles === "" ? "" : "\x1b[0m") + (link === "" ? "" : "\x1b]8;;\x1b\\");
	return { text: cut === "" ? "" : cut + ends, width };
}
