import { span } from "./text/span.ts";
import type { Line, Span } from "./view.ts";

/** A radio button in a title: what it chooses, whether that is chosen, and the command that a click on it runs. */
export function choice(text: string, isChosen: boolean, press: string): Span {
	return { ...span(`${isChosen ? "●" : "◦"} ${text}`, isChosen ? "accent" : "muted"), press };
}

/** Settings side by side. */
export function inRow(settings: readonly Span[], gap = "  "): Line {
	return settings.flatMap((setting, index) => (index === 0 ? [setting] : [span(gap), setting]));
}
