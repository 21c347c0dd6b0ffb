import { LANGUAGE } from "../../../catalog/query/describe.ts";
import type { Line } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { textWidth } from "../../../ui/text/width.ts";
import { wrapLine } from "../../../ui/text/wrap.ts";

/** Cells of the column of examples at most; where that leaves too little, what is found stands below. */
const WIDEST_EXAMPLE = 32;
const LEAST_MEANING = 30;

/** What may be typed into the list and the tree, as the documentation has it. */
export function queryText(width: number): readonly Line[] {
	const examples = LANGUAGE.flatMap((section) => section.examples);
	const column = Math.min(WIDEST_EXAMPLE, Math.max(...examples.map(([typed]) => textWidth(cleanText(typed)))));
	const room = width - column - 2;
	return LANGUAGE.flatMap(({ title, examples: inIt }, index) => [
		...(index === 0 ? [] : [[]]),
		[strong(title)],
		...inIt.flatMap(([typed, finds]) =>
			exampleLines(typed, finds, column, room < LEAST_MEANING ? undefined : room, width),
		),
	]);
}

function exampleLines(
	typed: string,
	finds: string,
	column: number,
	room: number | undefined,
	width: number,
): readonly Line[] {
	const example = cleanText(typed);
	const meaning = (cells: number) => wrapLine([span(finds, "muted")], cells);
	if (room === undefined) {
		const indented = meaning(width - 2).map((line) => [span("  "), ...line]);
		return [...wrapLine([span(example, "key")], width), ...indented];
	}
	const lines = meaning(room);
	const wide = textWidth(example) > column;
	const first: Line = [span(example, "key"), span(" ".repeat(Math.max(0, column + 2 - textWidth(example))))];
	const blank = span(" ".repeat(column + 2));
	if (wide) return [...wrapLine([span(example, "key")], width), ...lines.map((line) => [blank, ...line])];
	return lines.map((line, index) => (index === 0 ? [...first, ...line] : [blank, ...line]));
}
