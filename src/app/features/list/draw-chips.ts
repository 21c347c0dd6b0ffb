import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import type { Chip } from "../../world/list/chips.ts";

/**
 * "[repo ~/work/api ×] [named ×] ", the longest form first; the shortest one says only how many there are. A click on one
 * takes it away; where they share one, the last.
 */
export function drawChips(chips: readonly Chip[]): readonly Line[] {
	const [first] = chips;
	const last = chips.at(-1);
	if (first === undefined || last === undefined) return [];
	const each = (text: (chip: Chip) => string): Line => chips.flatMap((chip) => drawChip(text(chip), chip.press));
	const others = chips.length - 1;
	return [
		each(({ label }) => label),
		each(({ short }) => short),
		...(others === 0 ? [] : [drawChip(`${first.short} +${others}`, last.press)]),
		drawChip(`${chips.length}`, last.press),
	];
}

function drawChip(text: string, press: string): Line {
	const part = (content: string, tone: Span["tone"]): Span => ({ ...span(content, tone), press });
	return [part("[", "frame"), part(sanitizeLine(text), "accent"), part(" ×", "muted"), part("]", "frame"), span(" ")];
}
