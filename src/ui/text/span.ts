import type { Line, Span, Tone } from "./line.ts";
import { cleanText } from "./sanitize.ts";

/** A piece of a line; any text is cleaned. */
export function span(text: string, tone: Tone = "text"): Span {
	return { text: cleanText(text), tone };
}

/** The same in bold. */
export function strong(text: string, tone: Tone = "text"): Span {
	return { ...span(text, tone), bold: true };
}

/** A radio button in a title; `press`: the command that a click on it runs. */
export function choice(text: string, isChosen: boolean, press: string): Span {
	return { ...span(`${isChosen ? "●" : "◦"} ${text}`, isChosen ? "accent" : "muted"), press };
}

/** Puts settings side by side. */
export function inRow(settings: readonly Span[], gap = "  "): Line {
	return settings.flatMap((setting, index) => (index === 0 ? [setting] : [span(gap), setting]));
}

/** Text in spans, with the ranges `[start, end)` marked as matches; each span is cleaned by itself, since cleaning moves offsets. */
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
