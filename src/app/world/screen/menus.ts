import type { Line, Tone } from "../../../ui/text/line.ts";
import { type CleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText } from "../../../ui/text/width.ts";
import { wrapText } from "../../../ui/text/wrap.ts";
import type { MenuItem, MenuOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";
import { PROMPT_TEXT, textColumns } from "./overlay-box.ts";

/** Width of a question's sentences: wider text is hard to read. */
const SENTENCE_COLUMNS = 72;

/** A sentence of a menu's text, wrapped. */
export function sentence({ size }: State, text: string, tone: Tone = "text"): Line[] {
	const width = Math.min(SENTENCE_COLUMNS, textColumns(size.columns));
	return wrapText(sanitizeLine(text), width).map((row) => [{ text: row, tone }]);
}

/** The title of a session, or other words of any length, as one row of a dialog, bold unless it has a tone. */
export function titleRow(title: CleanText, tone?: Tone): Line {
	const text = cutText(title, PROMPT_TEXT);
	return [{ text, ...(tone === undefined ? { bold: true } : { tone }), isOneRow: true }];
}

/** The item that does nothing. */
export const CANCEL: MenuItem = { label: "Cancel" };

/** A menu, by default with its first item highlighted. */
export function menu(
	title: string,
	body: readonly Line[],
	rest: Pick<MenuOverlay, "items"> & Partial<Pick<MenuOverlay, "index" | "danger">>,
): MenuOverlay {
	return { kind: "menu", title, body, index: 0, danger: false, ...rest };
}
