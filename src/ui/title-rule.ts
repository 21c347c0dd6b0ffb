import { type Line, type Span, span, type Tone } from "./text/line.ts";
import type { CleanText } from "./text/sanitize.ts";
import { cutLine, lineWidth, textWidth } from "./text/width.ts";
import type { Box, PaneView, RuleView } from "./view.ts";

/** The rule before a title. */
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

/**
 * The rule above a pane: its title, the longest form of its settings that fits, and its position, unless the pane ends at the
 * row `bottom`, whose rule has it. In a pane beside another it begins with the joint to the divider between them.
 */
export function titleRule(pane: PaneView, top: number, bottom: number | undefined): RuleView {
	const { x, y, width, height, focused, title, settings, position } = pane;
	const tone: Tone = focused ? "accent" : "frame";
	const isBeside = x > 0;
	const row = y - 1;
	const start: Line = [span(isBeside ? "─ " : LEAD, tone), ...title, span(" ", tone)];
	const joint: Line = isBeside ? [span(row === top ? "┬" : "├", "frame")] : [];
	const ends = position === "" || y + height === bottom ? [] : [[span(position, "muted")]];
	const room = width - lineWidth(start);
	const forms = [...settings.filter((form) => lineWidth(form) > 0).map((form) => [form, ...ends]), ends];
	// `start` already has the space behind the title.
	const fitting = forms.find((parts) => endWidth(parts) + MIN_RULE - 1 <= room) ?? [];
	const fill = Math.max(0, room - endWidth(fitting));
	const end = fitting.flatMap((part): Line => [span(" ", tone), ...part, span(" ─", tone)]);
	const line = cutLine([...start, span("─".repeat(fill), tone), ...end], width);
	return { x: isBeside ? x - 1 : x, y: row, line: [...joint, ...line] };
}

function endWidth(parts: readonly Line[]): number {
	return parts.reduce((sum, part) => sum + lineWidth(part) + TITLE_LEAD, 0);
}

/**
 * The rule below panes that are side by side, with their positions and joints to the dividers between them. `noteFor`: the
 * note at its right end in at most `width` cells, if there is one.
 */
export function bottomRule(
	panes: readonly PaneView[],
	row: number,
	columns: number,
	noteFor: (width: number) => Line | undefined,
): RuleView {
	const lowest = panes.filter(({ y, height }) => y + height === row).toSorted((a, b) => a.x - b.x);
	const line = lowest.flatMap((pane, index): Span[] => {
		const tone: Tone = pane.focused ? "accent" : "frame";
		const isBeside = pane.x > 0;
		const position = pane.position === "" ? [] : [span(` ${pane.position} `, "muted")];
		const parts = cutLine([span(isBeside ? "─" : "──", tone), ...position], pane.width);
		const room = Math.max(0, pane.width - lineWidth(parts));
		const note = index === lowest.length - 1 ? noteFor(room - MIN_RULE - NOTE_FRAME) : undefined;
		const end: Line = note === undefined ? [] : [span(" ", tone), ...note, span(" ─", tone)];
		const fill = span("─".repeat(room - lineWidth(end)), tone);
		return [...(isBeside ? [span("┴", "frame")] : []), ...parts, fill, ...end];
	});
	return { x: 0, y: row, line: cutLine(line, columns) };
}
