import type { Line, ShellColor, Span } from "../../ui/text/line.ts";
import { nearestBasic } from "../../ui/theme/rgb.ts";
import { escaped, type Html, joined, markup, shown } from "./html-text.ts";

/** A drawn line as HTML: its tones, and the colors that a program chose, as classes; the style of the page has the colors. */
export function spansHtml(line: Line): Html {
	return joined(line.map(spanHtml));
}

function spanHtml(span: Span): Html {
	const text = shown(span.text);
	const names = classesOf(span);
	return names === "" ? text : markup`<span class="${escaped(names)}">${text}</span>`;
}

function classesOf({ tone, color, background, bold, italic, underline, strike, inverse }: Span): string {
	const names = [
		tone === undefined || tone === "text" ? "" : `t-${tone}`,
		color === undefined ? "" : `c${basic(color)}`,
		background === undefined ? "" : `g${basic(background)}`,
		bold ? "b" : "",
		italic ? "i" : "",
		underline ? "u" : "",
		strike ? "s" : "",
		inverse ? "r" : "",
	];
	return names.filter((name) => name !== "").join(" ");
}

/** Of the 16 colors the nearest one: only these can be read on a light page and on a dark one. */
function basic(color: ShellColor): number {
	return nearestBasic(color);
}
