import type { SessionEntry } from "../../store/format/schema.ts";
import { type Line, strong } from "../../ui/text/line.ts";
import { blanks, cleanText, sanitizeLine, startOf } from "../../ui/text/sanitize.ts";
import { lineWidth, textWidth } from "../../ui/text/width.ts";
import type { ReaderContext } from "./context.ts";
import { facts, labelOf } from "./facts.ts";
import { FIRST_LINE, markdownParts } from "./parts.ts";
import type { Block, Part, ReaderRow } from "./piece.ts";

const SIGN = cleanText("❯ ");

/** What the person said, as Markdown like an answer: a band over the whole width, with its time at the right. */
export function promptBlock(text: string, entry: SessionEntry, context: ReaderContext): Block {
	const right = (width: number): Line =>
		context.options.page ? labelOf(entry, context.session) : facts(entry, context, width);
	const prompt = text.trim() === "" ? "(empty)" : text;
	const [first, ...more] = markdownParts(prompt, { tone: "prompt", breaks: true }).map((part, index) =>
		inBand(part, index === 0),
	);
	return { parts: first === undefined ? [] : [withFacts(first, right), ...more], gap: true };
}

/** The part on the ground of prompts, below the sign of the first row. */
function inBand(part: Part, isFirst: boolean): Part {
	return {
		...part,
		draw(width, renderers) {
			const indent = SIGN.length < width ? SIGN.length : 0;
			const drawn = part.draw(width - indent, renderers);
			// What shows nothing as Markdown, such as the definition of a link, is still said here.
			const rows: readonly ReaderRow[] = isFirst && drawn.length === 0 ? [{ line: [] }] : drawn;
			return rows.map((row, index) => {
				const sign = isFirst && index === 0 ? strong(SIGN, "prompt") : { text: blanks(indent) };
				return { ...row, line: indent === 0 ? row.line : [sign, ...row.line], ground: "prompt" };
			});
		},
	};
}

/** The part with what is to be said at the right end of its first row, which leaves room for that. */
function withFacts(part: Part, rightOf: (width: number) => Line): Part {
	// Markup only takes away from it.
	const textCells = SIGN.length + textWidth(sanitizeLine(startOf(part.text, FIRST_LINE).split("\n", 1)[0] ?? ""));
	return {
		...part,
		draw(width, renderers) {
			const right = rightOf(width);
			if (right.length === 0) return part.draw(width, renderers);
			const room = lineWidth(right) + 1;
			const needed = textCells + room;
			// A long first row is broken earlier, so that all of it is there.
			const isLong = needed > width && width > room * 3;
			const [first, ...rest] = part.draw(isLong ? width - room : width, renderers);
			const free = first === undefined ? -1 : width - lineWidth(first.line) - room;
			if (first === undefined || free < 0) return first === undefined ? [] : [first, ...rest];
			return [{ ...first, line: [...first.line, { text: blanks(free + 1) }, ...right] }, ...rest];
		},
	};
}
