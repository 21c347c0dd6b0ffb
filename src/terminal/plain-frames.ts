import { styledWidth } from "../shared/cell-width.ts";
import {
	at,
	BEGIN_FRAME,
	END_FRAME,
	ERASE_ROW,
	ERASE_SCREEN,
	type Frame,
	type FramePainter,
	type ScreenCell,
	SHOW_CURSOR,
	WRAP_OFF,
	WRAP_ON,
} from "./frame-painter.ts";

/**
 * Frames for a screen reader, which reads what is written: the rows that are new, and last the selected row, on which the cursor
 * stands; of the row that is typed in, only its end. A text that scrolls is scrolled by the terminal, without being written again.
 */
export const readFrame: FramePainter = (frame, before) => {
	if (before === undefined) {
		const rows = frame.rows.flatMap((row, y) => (row === "" ? [] : [at(y, 0) + row]));
		return `${BEGIN_FRAME}${WRAP_OFF}${ERASE_SCREEN}${rows.join("")}${WRAP_ON}${cursorOf(frame)}${END_FRAME}`;
	}
	const scroll = scrolled(before.rows, frame.rows);
	const changes = [...newRows(frame, scroll?.rows ?? before.rows, before)];
	if (changes.length === 0 && scroll === undefined && cursorOf(frame) === cursorOf(before)) return "";
	const rows = changes.map(({ y, x, text }) => at(y, x) + ERASE_ROW + text).join("");
	return `${BEGIN_FRAME}${scroll?.command ?? ""}${WRAP_OFF}${rows}${WRAP_ON}${cursorOf(frame)}${END_FRAME}`;
};

/** The same for a terminal that takes no escape sequences: the rows one below the other, as a teletype prints them. */
export const printFrame: FramePainter = (frame, before) => {
	const shownRows = before === undefined ? [] : (scrolled(before.rows, frame.rows)?.rows ?? before.rows);
	const changes = [...newRows(frame, shownRows, before)].filter(({ text }) => text !== "");
	return changes.map(({ text }) => `\r\n${text}`).join("");
};

interface NewRow extends ScreenCell {
	readonly text: string;
}

/** What differs from the rows that are shown, top down; the row at which the cursor stands comes last, also if it is only that which is new. */
function* newRows(frame: Frame, shownRows: readonly string[], before: Frame | undefined): Generator<NewRow> {
	const { rows, typed, selected } = frame;
	const last = typed?.y ?? selected?.y;
	for (let y = 0; y < Math.max(rows.length, shownRows.length); y++) {
		const [text = "", shownText = ""] = [rows[y], shownRows[y]];
		if (y !== last && text !== shownText) yield { x: 0, y, text };
	}
	if (last === undefined) return;
	const [text = "", shownText = ""] = [rows[last], shownRows[last]];
	if (typed !== undefined) {
		if (text !== shownText) yield endOf(text, shownText, last);
	} else if (text !== shownText || last !== before?.selected?.y || before.typed !== undefined) {
		yield { x: 0, y: last, text };
	}
}

/** The row from where it differs from the one before. */
function endOf(text: string, shownText: string, y: number): NewRow {
	let length = 0;
	while (length < text.length && text[length] === shownText[length]) length++;
	// Not within a character.
	while (length > 0 && /^[\p{M}\udc00-\udfff]/u.test(text.slice(length))) length--;
	return { x: styledWidth(text.slice(0, length)), y, text: text.slice(length) };
}

function cursorOf({ typed, selected }: Frame): string {
	const cell = typed ?? selected;
	return cell === undefined ? "" : at(cell.y, cell.x) + SHOW_CURSOR;
}

/** Rows that are scrolled rather than written again, at least. */
const LEAST_SCROLLED = 3;

/** How the terminal scrolls to what is now on the screen, and the rows after that; undefined where that saves nothing. */
function scrolled(
	before: readonly string[],
	rows: readonly string[],
): { readonly command: string; readonly rows: readonly string[] } | undefined {
	const height = rows.length;
	if (before.length !== height) return undefined;
	const first = rows.findIndex((row, y) => row !== before[y]);
	const last = rows.findLastIndex((row, y) => row !== before[y]);
	let best = { by: 0, saved: LEAST_SCROLLED - 1 };
	for (let by = -(last - first); by <= last - first; by++) {
		let saved = 0;
		for (let y = first; y <= last; y++) {
			const from = y + by;
			const isKept = from >= first && from <= last && rows[y] === before[from];
			if (isKept && rows[y] !== "" && rows[y] !== before[y]) saved++;
		}
		if (by !== 0 && saved > best.saved) best = { by, saved };
	}
	const { by } = best;
	if (by === 0) return undefined;
	const movedRows = before.map((row, y) => {
		if (y < first || y > last) return row;
		const from = y + by;
		return from >= first && from <= last ? (before[from] ?? "") : "";
	});
	const how = by > 0 ? `${by}S` : `${-by}T`;
	return { command: `\x1b[${first + 1};${last + 1}r\x1b[${how}\x1b[r`, rows: movedRows };
}
