import type { Line, Span, Tone } from "../model/view.ts";
import { sanitizeText } from "./sanitize.ts";

/** Text in spans, the ranges `[start, end)` marked as matches; sanitized span by span, since that moves offsets. */
export function highlight(
	text: string,
	ranges: readonly (readonly [start: number, end: number])[],
	tone: Tone = "text",
): Line {
	const spans: Span[] = [];
	const push = (part: string, as: Tone): void => {
		const clean = sanitizeText(part).replaceAll("\n", " ");
		if (clean !== "") spans.push({ text: clean, tone: as });
	};
	let from = 0;
	for (const [start, end] of ranges) {
		push(text.slice(from, start), tone);
		push(text.slice(start, end), "match");
		from = end;
	}
	push(text.slice(from), tone);
	return spans;
}
