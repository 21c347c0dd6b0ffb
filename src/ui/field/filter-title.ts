import { type Line, span, strong } from "../text/line.ts";
import { type CleanText, cleanText, joinText } from "../text/sanitize.ts";
import { cutLine, cutText, cutTextStart, lineWidth, textWidth } from "../text/width.ts";
import type { EditedText } from "./edit.ts";

/** UTF-16 units that may be needed to fill a cell. */
const UNITS_PER_CELL = 16;
/** Cells that the typed text always gets. */
const MIN_TYPED = 4;
/** Cells for the typed text that longer chips leave. */
const LEAST_TYPED = 16;
/** Separates a pane's name from the typed text. */
const PROMPT = " ❯ ";

/** A filter typed in the title of a pane. */
export interface TypedFilter {
	readonly name: Line;
	/** What narrows the rows besides the typed text, before it; the longest form first, each with a blank at its end. */
	readonly chips?: readonly Line[];
	readonly query: EditedText;
	/** Shown dim while nothing is typed: what can be typed. */
	readonly hint: string;
	/** Behind the typed text: what is wrong with it, or what was found. Begins with a space. */
	readonly notes: Line;
	readonly focused: boolean;
}

/** The title of a pane with its filter; `cursor`: the cell of the terminal's cursor in it, if the pane has the focus. */
export function filterTitle(
	{ name, chips = [], query, hint, notes, focused }: TypedFilter,
	room: number,
): { readonly title: Line; readonly cursor: number | undefined } {
	const prompt: Line = [...name, span(PROMPT, focused ? "accent" : "frame")];
	const isBare = !focused && query.text === "";
	const least = isBare
		? 0
		: Math.min(LEAST_TYPED, Math.max(MIN_TYPED, textWidth(cleanText(query.text.slice(0, LEAST_TYPED))) + 1));
	const chip = chips.find((form) => lineWidth(form) <= room - lineWidth(prompt) - least) ?? chips.at(-1) ?? [];
	if (isBare)
		return {
			title: cutLine([...name, ...(chip.length === 0 ? [] : [span(" ")]), ...chip, ...notes], room),
			cursor: undefined,
		};
	const start: Line = [...prompt, ...chip];
	const left = Math.max(MIN_TYPED, room - lineWidth(start));
	// The notes get up to half of the room, the typed text the rest.
	const noted = Math.min(lineWidth(notes), Math.floor(left / 2));
	const { text, cursor } = showEdited(query, Math.max(MIN_TYPED, left - noted));
	// A hint that does not fit is left out, not cut.
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

/** The part of an edited text around its cursor that fits in `room` cells, and the cursor's cell in that part. */
export function showEdited(
	{ text, cursor }: EditedText,
	room: number,
): { readonly text: CleanText; readonly cursor: number } {
	// Only what may be visible is cleaned, with room for characters of several units.
	const near = room * UNITS_PER_CELL;
	const before = cutTextStart(cleanText(text.slice(Math.max(0, cursor - near), cursor)), room - 1);
	const at = textWidth(before);
	return { text: joinText(before, cutText(cleanText(text.slice(cursor, cursor + near)), room - at)), cursor: at };
}
