import { cellWidth, styledWidth } from "../shared/cell-width.ts";

/** A start with only characters that have the same width in every terminal, and styles and links. */
const SURE =
	/^(?:[ -~\u00a0-\u02ff\u0391-\u03a1\u03a3-\u03e1\u03f0-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3]|\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\))*/;
const PARTS = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)| +|[!-~]+|./gsu;
const BORDER = /^[│┌┐└┘├┤┬┴─]$/;

/**
 * Makes sure that borders, and text behind two spaces or more, are in their columns, whatever the width of the text before
 * them in this terminal: terminals disagree on flags, on emoji newer than they are, and on Indic and other letters that they
 * may or may not join. Such a text may cover spaces beside it, or leave some, but what follows stays in its column. Other rows
 * are returned as they are.
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
