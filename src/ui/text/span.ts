import type { Span, Tone } from "../view.ts";
import { cleanText } from "./sanitize.ts";

/** A piece of a line; any text is cleaned. */
export function span(text: string, tone: Tone = "text"): Span {
	return { text: cleanText(text), tone };
}

/** The same in bold. */
export function strong(text: string, tone: Tone = "text"): Span {
	return { ...span(text, tone), bold: true };
}
