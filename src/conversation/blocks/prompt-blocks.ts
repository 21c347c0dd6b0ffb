import type { SessionEntry } from "../../store/format/schema.ts";
import type { Line } from "../../ui/text/line.ts";
import { blanks } from "../../ui/text/sanitize.ts";
import { cutLine, lineWidth } from "../../ui/text/width.ts";
import type { BlockContext } from "./context.ts";
import { facts, labelOf } from "./facts.ts";
import type { Block, Part, ReaderRow } from "./piece.ts";
import { textParts } from "./text-parts.ts";

const SIGN = "❯ ";

/** What the person said: a band over the whole width, with its time at the right. */
export function promptBlock(text: string, entry: SessionEntry, context: BlockContext): Block {
	const right = context.options.page ? labelOf(entry, context.session) : facts(entry, context);
	const [first, ...more] = textParts(text === "" ? "(empty)" : text, {
		tone: "prompt",
		bold: true,
		ground: "prompt",
		sign: SIGN,
	});
	return { parts: first === undefined ? [] : [withFacts(first, right), ...more], gap: true };
}

/** The part with what is to be said at the right end of its first row; its first row leaves room for that. */
function withFacts(part: Part, right: Line): Part {
	const room = lineWidth(right) + 1;
	if (right.length === 0) return part;
	return {
		...part,
		draw(width) {
			const [first, ...rest] = part.draw(width, undefined);
			if (first === undefined) return rest;
			const free = width - lineWidth(first.line) - room;
			// A long first row is broken earlier, so that all of it is there.
			if (free < 0) return width > room * 3 ? [...shortened(part, width, room, right)] : [first, ...rest];
			return [{ ...first, line: [...first.line, { text: blanks(free + 1) }, ...right] }, ...rest];
		},
	};
}

function shortened(part: Part, width: number, room: number, right: Line): ReaderRow[] {
	return part.draw(width - room, undefined).map((row, index) => {
		if (index > 0) return row;
		const free = width - lineWidth(row.line) - room + 1;
		return { ...row, line: cutLine([...row.line, { text: blanks(free) }, ...right], width) };
	});
}
