import type { Question } from "../model/question.ts";
import type { MenuOverlay, State } from "../model/state.ts";
import { textColumns } from "../screen/overlay-box.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { wrapText } from "../text/wrap.ts";
import { menu } from "./menus.ts";

/** Cells of the sentences of a question. */
const QUESTION_COLUMNS = 72;

/** A question of an effect; its sentences are broken into rows, so that none is cut off. */
export function questionMenu(state: State, { title, body, choices, danger }: Question): MenuOverlay {
	const width = Math.min(QUESTION_COLUMNS, textColumns(state.size.columns));
	const rows = body.flatMap((text) => wrapText(sanitizeLine(text), width));
	return menu(
		title,
		rows.map((text) => [{ text }]),
		{ items: choices, danger },
	);
}
