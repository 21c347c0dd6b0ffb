import type { Line, Span, Tone } from "./line.ts";
import { sanitizeLine } from "./sanitize.ts";
import { span } from "./span.ts";
import { lineWidth } from "./width.ts";

/** A piece of a line that is left out, where the room is short, before all pieces of a lower rank. */
export interface Part {
	readonly text: string;
	readonly tone?: Tone;
	/** 0: never left out. */
	readonly rank: number;
	/** What stands between it and the piece before; default: " · ". */
	readonly after?: string;
	/** The command that a click on it runs. */
	readonly press?: string;
}

/** The pieces as one line, without as many as it takes to fit; undefined where even those of rank 0 do not. */
export function partLine(parts: readonly Part[], width: number): Line | undefined {
	const ranks = [...new Set(parts.map(({ rank }) => rank))].sort((a, b) => b - a);
	for (const most of ranks) {
		const line = join(parts.filter(({ rank }) => rank <= most));
		if (lineWidth(line) <= width) return line;
	}
	return undefined;
}

function join(parts: readonly Part[]): Line {
	return parts.flatMap(({ text, tone = "muted", after = " · ", press }, index): Span[] => {
		const part: Span = { text: sanitizeLine(text), tone, ...(press && { press }) };
		return index === 0 ? [part] : [span(after, "frame"), part];
	});
}
