import { type CleanText, cleanText, joinText } from "../text/sanitize.ts";
import { span, strong } from "../text/span.ts";
import { cutLine, cutText, cutTextStart, lineWidth, textWidth } from "../text/width.ts";
import type { Line } from "../view.ts";
import type { EditedText } from "./edit.ts";

/** UTF-16 units of a text that are looked at for a cell of the screen. */
const UNITS_PER_CELL = 16;
/** Cells of a typed text that are always seen, if there are any. */
const LEAST_TYPED = 4;
/** What stands between a pane's name and what is typed. */
const PROMPT = " ❯ ";

/** What is typed in a pane, and what there is to say of it. */
export interface TypedFilter {
	readonly name: Line;
	readonly query: EditedText;
	/** What can be typed; shown while nothing is, and dim. */
	readonly hint: string;
	/** Behind what is typed: what is wrong with it, or what was found. Begins with a blank. */
	readonly notes: Line;
	readonly focused: boolean;
}

/** The title of a pane with the filter typed in it, and the cell of the terminal's cursor while that pane has the focus. */
export function filterTitle(
	{ name, query, hint, notes, focused }: TypedFilter,
	room: number,
): { readonly title: Line; readonly cursor: number | undefined } {
	const start: Line = [...name, span(PROMPT, focused ? "accent" : "frame")];
	if (!focused && query.text === "") return { title: cutLine([...name, ...notes], room), cursor: undefined };
	const left = Math.max(LEAST_TYPED, room - lineWidth(start));
	// The notes get what the typed text leaves, and at least half.
	const noted = Math.min(lineWidth(notes), Math.floor(left / 2));
	const { text, cursor } = showEdited(query, Math.max(LEAST_TYPED, left - noted));
	// A hint that is cut helps nobody.
	const fitting = hint.length < left - noted ? hint : "";
	const typed = text === "" ? span(fitting, "muted") : span(text);
	return {
		title: cutLine([...start, typed, ...notes], room),
		cursor: focused ? Math.min(room, lineWidth(start) + cursor) : undefined,
	};
}

/** A pane's name in the rule above it. */
export function paneName(name: string, focused: boolean): Line {
	return [focused ? strong(name, "accent") : span(name)];
}

/** The part of an edited text that fits in `room` cells with its cursor in sight, and the cursor's cell in it. */
export function showEdited(
	{ text, cursor }: EditedText,
	room: number,
): { readonly text: CleanText; readonly cursor: number } {
	// More than fits, unless it is hardly seen: what is not in sight need not be cleaned.
	const near = room * UNITS_PER_CELL;
	const before = cutTextStart(cleanText(text.slice(Math.max(0, cursor - near), cursor)), room - 1);
	const at = textWidth(before);
	return { text: joinText(before, cutText(cleanText(text.slice(cursor, cursor + near)), room - at)), cursor: at };
}
