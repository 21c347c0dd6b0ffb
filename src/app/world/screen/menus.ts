import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { matching } from "../../../ui/field/match-names.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { type Line, span, type Tone } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { Box, Cell, Size } from "../../../ui/view.ts";
import type { EffectQuestion, MenuItem, MenuOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";

/** Width of a question's sentences: wider text is hard to read. */
const SENTENCE_COLUMNS = 72;

export function sentence({ size }: State, text: string, tone: Tone = "text"): Line[] {
	return wrapped(text, tone, textColumns(size.columns));
}

function wrapped(text: string, tone: Tone, columns: number): Line[] {
	return wrapText(sanitizeLine(text), Math.min(SENTENCE_COLUMNS, columns)).map((row) => [{ text: row, tone }]);
}

/** The text of a question as rows of at most `columns` cells. */
export function questionRows({ about, body }: Pick<EffectQuestion, "about" | "body">, columns: number): Line[] {
	const head = about === undefined ? [] : [titleRow(sanitizeLine(about))];
	return [
		...head,
		...body.flatMap((note): Line[] => {
			if (typeof note === "string") return wrapped(note, "text", columns);
			const { text, tone, shape } = note;
			if (shape === "title") return [titleRow(sanitizeLine(text), tone)];
			return shape === "row" ? [[span(cleanText(text), tone)]] : wrapped(text, tone ?? "text", columns);
		}),
	];
}

/** The title of a session, or other words of any length, as one row of a dialog, bold unless it has a tone. */
export function titleRow(title: CleanText, tone?: Tone): Line {
	const text = cutText(title, PROMPT_TEXT);
	return [{ text, ...(tone === undefined ? { bold: true } : { tone }), isOneRow: true }];
}

/** What a dialog is about: the title of a session, or the number of several. */
export function subjectRow(rows: readonly SessionRow[]): Line {
	const [only, second] = rows;
	const isOne = only !== undefined && second === undefined;
	return titleRow(isOne ? sessionTitle(only) : cleanText(formatCounted(rows.length, "session")));
}

/** Rows of a question about files besides those of files: the frame, the other sentences, the items. */
const OTHER_ROWS = 15;
const LEAST_FILES = 3;

/** Rows for files in a question about them. */
export function rowsForFiles({ size }: State): number {
	return Math.max(LEAST_FILES, size.rows - OTHER_ROWS);
}

export const CANCEL: MenuItem = { label: "Cancel" };

/** A menu, by default with its first item highlighted. */
export function menu(
	title: string,
	body: readonly Line[],
	rest: Pick<MenuOverlay, "items"> & Partial<Pick<MenuOverlay, "index" | "danger">>,
): MenuOverlay {
	const { index = 0 } = rest;
	return { kind: "menu", title, body, query: editedText(""), danger: false, ...rest, index, initialIndex: index };
}

/** The items that the typed text names, the best first; all of them while nothing is typed. */
export function shownItems({ items, query }: Pick<MenuOverlay, "items" | "query">): readonly MenuItem[] {
	const typed = query.text.trim();
	if (typed === "") return items;
	return matching(
		items.map((item) => ({ name: item.label, synonyms: item.synonyms ?? "", item })),
		typed,
	)
		.toSorted((a, b) => a.level - b.level)
		.map((match) => match.item.item);
}

/**
 * Index of the shown item that is highlighted once the text has changed: the best one. Where the item that does nothing was
 * preselected, it stays highlighted as long as it is shown, so that a letter and Enter do not answer yes.
 */
export function firstShown(overlay: MenuOverlay): number {
	const { items, query, initialIndex } = overlay;
	if (query.text.trim() === "") return initialIndex;
	const preselected = items[initialIndex];
	const doesNothing = preselected !== undefined && preselected.change === undefined && preselected.effect === undefined;
	return doesNothing ? Math.max(0, shownItems(overlay).indexOf(preselected)) : 0;
}

/** Rows of an overlay besides its text and items: the border and the hint. */
export const FRAME_ROWS = 3;
/** Cells beside an overlay's text: the border and a blank on each side. */
const FRAME_COLUMNS = 4;

/** Width of the text of a prompt, in cells, and of a title in any dialog. */
export const PROMPT_TEXT = 60;

/** Width of the text in an overlay of this width, in cells. */
export function textColumns(width: number): number {
	return width - FRAME_COLUMNS;
}

/** Width of an overlay around a text of this width, at most as wide as the terminal. */
export function overlayWidth(textWidth: number, { columns }: Size): number {
	return Math.min(columns, textWidth + FRAME_COLUMNS);
}

export function mostTextRows({ rows }: Size): number {
	return rows - FRAME_ROWS;
}

/** The box of an overlay with `textRows` rows inside, in the middle of the screen. */
export function overlayBox(width: number, textRows: number, { columns, rows }: Size): Box {
	const height = Math.min(textRows + FRAME_ROWS, rows);
	return { x: Math.floor((columns - width) / 2), y: Math.floor((rows - height) / 2), width, height };
}

export function textCell({ x, y }: Box, row: number, column: number): Cell {
	return { x: x + FRAME_COLUMNS / 2 + column, y: y + 1 + row };
}
