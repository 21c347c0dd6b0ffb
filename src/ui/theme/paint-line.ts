import type { Ground, Line } from "../text/line.ts";
import { cutLine, lineWidth } from "../text/width.ts";
import type { RowView } from "../view.ts";
import type { Look, Theme } from "./theme.ts";

const RESET = "\x1b[0m";
const LINK_END = "\x1b]8;;\x1b\\";

/** A line as one string with escape sequences for the style of each text. */
export function paintLine(theme: Theme, line: Line, ground?: Ground): string {
	let painted = "";
	for (const span of line) {
		if (span.text === "") continue;
		const text = styled(span.text, theme.sgr(span, ground));
		painted += span.link !== undefined && theme.links ? `\x1b]8;;${span.link}\x1b\\${text}${LINK_END}` : text;
	}
	return painted;
}

/** A text in one style; each row is styled by itself. */
export function paintText(theme: Theme, text: string, look: Look, ground?: Ground): string {
	const sgr = theme.sgr(look, ground);
	return text.includes("\n")
		? text
				.split("\n")
				.map((row) => styled(row, sgr))
				.join("\n")
		: styled(text, sgr);
}

/**
 * The rows of a pane, joined by newlines and cut to its width; a row's ground reaches to the edge of the pane. `focused`:
 * whether the pane has the focus, which shows in the row under the cursor.
 */
export function paintRows(theme: Theme, rows: readonly RowView[], width: number, focused: boolean): string {
	const cursor = focused ? "cursor" : "cursor-beside";
	return rows.map((row) => paintRow(theme, row.line, width, row.selected ? cursor : row.ground)).join("\n");
}

interface Painted {
	readonly theme: Theme;
	readonly width: number;
	readonly ground: Ground | undefined;
	readonly text: string;
}

/** Cache: most lines on the screen are the same in the next frame. */
const lastPainted = new WeakMap<Line, Painted>();

function paintRow(theme: Theme, line: Line, width: number, ground: Ground | undefined): string {
	const last = lastPainted.get(line);
	if (last?.theme === theme && last.width === width && last.ground === ground) return last.text;
	const fitting = cutLine(line, width);
	const painted = paintLine(theme, fitting, ground);
	const missing = ground === undefined ? 0 : width - lineWidth(fitting);
	const text = missing > 0 ? painted + styled(" ".repeat(missing), theme.sgr({}, ground)) : painted;
	lastPainted.set(line, { theme, width, ground, text });
	return text;
}

function styled(text: string, sgr: string): string {
	return sgr === "" || text === "" ? text : `\x1b[${sgr}m${text}${RESET}`;
}
