import { strong } from "../../ui/text/line.ts";
import { markdownParts } from "./parts.ts";
import type { Block, Part } from "./piece.ts";

/** What the person said, as Markdown like an answer: a band over the whole width. */
export function promptBlock(text: string): Block {
	const prompt = text.trim() === "" ? "(empty)" : text;
	const parts = markdownParts(prompt, { tone: "prompt", breaks: true }).map((part, index) => inBand(part, index === 0));
	return { parts, sign: strong("❯ ", "prompt"), gap: true };
}

function inBand(part: Part, isFirst: boolean): Part {
	return {
		...part,
		draw(width, renderers) {
			const drawn = part.draw(width, renderers);
			// What shows nothing as Markdown, such as the definition of a link, is still said here.
			const rows = isFirst && drawn.length === 0 ? [{ line: [] }] : drawn;
			return rows.map((row) => ({ ...row, ground: "prompt" }));
		},
	};
}
