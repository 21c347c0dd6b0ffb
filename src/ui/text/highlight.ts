import type { Line, Span, Tone } from "../view.ts";
import { span } from "./span.ts";

/** Text in spans, the ranges `[start, end)` marked as matches; cleaned span by span, since that moves offsets. */
export function highlight(
	text: string,
	ranges: readonly (readonly [start: number, end: number])[],
	tone: Tone = "text",
): Line {
	const spans: Span[] = [];
	let from = 0;
	for (const [start, end] of ranges) {
		spans.push(span(text.slice(from, start), tone), span(text.slice(start, end), "match"));
		from = end;
	}
	spans.push(span(text.slice(from), tone));
	return spans.filter((part) => part.text !== "");
}
