import type { EditedText } from "./field/edit.ts";
import { type Line, type Span, span, strong, type Tone } from "./text/line.ts";
import { type CleanText, cleanText, joinText } from "./text/sanitize.ts";
import { cutLine, cutText, cutTextStart, lineWidth, textWidth } from "./text/width.ts";
import type { BottomView, Box, PaneView, RuleView, ScreenView } from "./view.ts";

/** UTF-16 units that may be needed to fill a cell. */
const UNITS_PER_CELL = 16;
/** Cells that the typed text always gets. */
const MIN_TYPED = 4;
/** Cells for the typed text that longer chips leave. */
const LEAST_TYPED = 16;
const PROMPT = "❯ ";

interface TypedFilter {
	/** The name of the pane; empty where there is no room for it. */
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
	const sign = span(PROMPT, focused ? "accent" : "frame");
	const prompt: Line = name.length === 0 ? [sign] : [...name, span(" "), sign];
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
	const roomAfterStart = Math.max(MIN_TYPED, room - lineWidth(start));
	// The notes get up to half of the room, the typed text the rest.
	const noteCells = Math.min(lineWidth(notes), Math.floor(roomAfterStart / 2));
	const { text, cursor } = showEdited(query, Math.max(MIN_TYPED, roomAfterStart - noteCells));
	// A hint that does not fit is left out, not cut.
	const fitting = hint.length < roomAfterStart - noteCells ? hint : "";
	const typed = text === "" ? span(fitting, "muted") : span(text);
	return {
		title: cutLine([...start, typed, ...notes], room),
		cursor: focused ? Math.min(room, lineWidth(start) + cursor) : undefined,
	};
}

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
	const textBefore = cutTextStart(cleanText(text.slice(Math.max(0, cursor - near), cursor)), room - 1);
	const at = textWidth(textBefore);
	return { text: joinText(textBefore, cutText(cleanText(text.slice(cursor, cursor + near)), room - at)), cursor: at };
}

const LEAD = "── ";
/** Cells before a title: the rule and a space. In a pane beside another a joint is part of it. */
const TITLE_LEAD = 3;
/** Cells always left behind a title: a space and a piece of the rule. */
const MIN_RULE = 2;

/** Cells around a note: a space on each side, and a piece of the rule. */
const NOTE_FRAME = 3;

/** Cells that a pane's title may take, so that its position fits beside it. */
export function titleRoom({ width }: Box, position: CleanText): number {
	const end = position === "" ? 0 : textWidth(position) + TITLE_LEAD;
	return Math.max(0, width - TITLE_LEAD - MIN_RULE - end);
}

/** Column of the screen where the title of a pane begins. */
export function titleStart({ x }: Box): number {
	return x === 0 ? TITLE_LEAD : x + TITLE_LEAD - 1;
}

/** The rules of a screen: one above each pane, and one below panes that are side by side. */
export function screenRules({ panes, bottom, columns }: ScreenView): readonly RuleView[] {
	const titles = panes.map((pane) => {
		const isBelow = panes.some(({ x, y, height }) => x === pane.x && y + height === pane.y - 1);
		return titleRule(pane, bottom?.y, isBelow);
	});
	return bottom === undefined ? titles : [...titles, bottomRule(panes, bottom, columns)];
}

/**
 * The rule above a pane: its title, the longest form of its settings that fits, and its position. The position is left out if the pane
 * ends at the row `bottom`, whose rule has it, and in a pane that is typed in if there is room only for the shortest settings. Beside
 * another pane, the rule begins with a joint to the divider between them; `isBelow`: that divider comes from a pane above.
 */
function titleRule(pane: PaneView, bottom: number | undefined, isBelow: boolean): RuleView {
	const { x, y, width, height, focused, title, settings, position } = pane;
	const tone: Tone = focused ? "accent" : "frame";
	const isBeside = x > 0;
	const start: Line =
		title.length === 0
			? [span(isBeside ? "─" : "──", tone)]
			: [span(isBeside ? "─ " : LEAD, tone), ...title, span(" ", tone)];
	const joint: Line = isBeside ? [span(isBelow ? "├" : "┬", "frame")] : [];
	const ends = position === "" || y + height === bottom ? [] : [[span(position, "muted")]];
	const room = width - lineWidth(start);
	const filled = settings.filter((form) => lineWidth(form) > 0);
	// What narrows the rows is more than the position among them.
	const least = pane.cursor === undefined ? [] : filled.slice(-1).map((form) => [form]);
	const forms = [...filled.map((form) => [form, ...ends]), ...least, ends];
	// `start` already has the space behind the title.
	const fitting = forms.find((parts) => endWidth(parts) + MIN_RULE - 1 <= room) ?? [];
	const fill = Math.max(0, room - endWidth(fitting));
	const end = fitting.flatMap((part): Line => [span(" ", tone), ...part, span(" ─", tone)]);
	const line = cutLine([...start, span("─".repeat(fill), tone), ...end], width);
	return { x: isBeside ? x - 1 : x, y: y - 1, line: [...joint, ...line] };
}

function endWidth(parts: readonly Line[]): number {
	return parts.reduce((sum, part) => sum + lineWidth(part) + TITLE_LEAD, 0);
}

/** The rule below panes that are side by side, with their positions and joints to the dividers between them, and its note. */
function bottomRule(panes: readonly PaneView[], { y, note, first, instead }: BottomView, columns: number): RuleView {
	if (instead !== undefined) {
		const start = cutLine([span(LEAD, "frame"), ...instead], columns);
		return { x: 0, y, line: [...start, span("─".repeat(columns - lineWidth(start)), "frame")] };
	}
	const lowest = panes.filter((pane) => pane.y + pane.height === y).toSorted((a, b) => a.x - b.x);
	const line = lowest.flatMap((pane, index): Span[] => {
		const tone: Tone = pane.focused ? "accent" : "frame";
		const isBeside = pane.x > 0;
		const position = pane.position === "" ? [] : [span(` ${pane.position} `, "muted")];
		const parts = cutLine([span(isBeside ? "─" : "──", tone), ...position], pane.width);
		const room = Math.max(0, pane.width - lineWidth(parts));
		const forms = index === lowest.length - 1 ? note : index === 0 ? first : [];
		const fitting = forms.find((form) => lineWidth(form) + MIN_RULE + NOTE_FRAME <= room);
		const end: Line = fitting === undefined ? [] : [span(" ", tone), ...fitting, span(" ─", tone)];
		const fill = span("─".repeat(room - lineWidth(end)), tone);
		return [...(isBeside ? [span("┴", "frame")] : []), ...parts, fill, ...end];
	});
	return { x: 0, y, line: cutLine(line, columns) };
}
