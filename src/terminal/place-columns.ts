import { cellWidth } from "../shared/cell-width.ts";
import { styledWidth } from "../shared/styled-width.ts";

/** As much as only has characters that every terminal draws as wide as we measure them; with the styles and links between. */
const SURE =
	/^(?:[ -~\u00a0-\u02ff\u0391-\u03a1\u03a3-\u03e1\u03f0-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3]|\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\))*/;
const PARTS = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)| +|[!-~]+|./gsu;
const BORDER = /^[│┌┐└┘├┤┬┴─]$/;

/**
 * A row of a frame in which everything that has a column of its own is put there, whatever the terminal made of the text
 * before it: borders, and what follows two blanks or more. Terminals disagree on the width of flags, of emoji that are
 * newer than they are, of Indic and other letters that they may or may not join; such a text may lie over the blanks
 * beside it, or leave some, but what comes after it stays where it belongs. Other rows are returned as they are.
 */
export function placeColumns(row: string): string {
	let placed = sureStart(row);
	if (placed.length === row.length) return row;
	let column = styledWidth(placed);
	let isUnsure = false;
	let isAfterGap = false;
	for (const [part] of row.slice(placed.length).matchAll(PARTS)) {
		if (part.startsWith("\x1b")) {
			placed += part;
			continue;
		}
		if (part.startsWith(" ")) {
			isAfterGap = part.length > 1;
			placed += part;
			column += part.length;
			continue;
		}
		if (isUnsure && (isAfterGap || BORDER.test(part))) {
			placed += `\x1b[${column + 1}G`;
			isUnsure = false;
		}
		placed += part;
		column += cellWidth(part);
		isUnsure ||= sureStart(part) === "";
		isAfterGap = false;
	}
	return placed;
}

function sureStart(text: string): string {
	return SURE.exec(text)?.[0] ?? "";
}
