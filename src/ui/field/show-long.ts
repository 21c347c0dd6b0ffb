import { graphemeAt } from "../../shared/graphemes.ts";
import { type CleanText, cleanText } from "../text/sanitize.ts";
import { textWidth } from "../text/width.ts";
import type { EditedText } from "./edit.ts";

/** The rows of a text of several lines around its cursor, wrapped between words, and the cell of the cursor in them. */
export function showLong(
	{ text, cursor }: EditedText,
	room: number,
	height: number,
): { readonly texts: readonly CleanText[]; readonly row: number; readonly column: number } {
	const rows: { from: number; to: number }[] = [];
	let start = 0;
	for (const line of text.split("\n")) {
		const end = start + line.length;
		let from = start;
		do {
			const to = rowEnd(text, from, end, room);
			rows.push({ from, to });
			from = to;
		} while (from < end);
		start = end + 1;
	}
	const at = rows.findLastIndex(({ from }) => from <= cursor);
	const top = Math.max(0, at - height + 1);
	return {
		texts: rows.slice(top, top + height).map(({ from, to }) => cleanText(text.slice(from, to))),
		row: at - top,
		column: textWidth(cleanText(text.slice(rows[at]?.from, cursor))),
	};
}

/** Where a row ends that begins at an offset: behind the last blank that fits, with a cell for the cursor. */
function rowEnd(text: string, from: number, end: number, room: number): number {
	let [to, cells, blank] = [from, 0, from];
	while (to < end) {
		const next = graphemeAt(text, to)?.to ?? end;
		cells += textWidth(cleanText(text.slice(to, next)));
		if (cells >= room && to > from) return blank > from ? blank : to;
		to = next;
		if (text[to - 1] === " ") blank = to;
	}
	return end;
}
