import { cutLine, lineWidth } from "../text/width.ts";
import type { Ground, Line, RowView } from "../view.ts";
import type { Look, Theme } from "./theme.ts";

const RESET = "\x1b[0m";
const LINK_END = "\x1b]8;;\x1b\\";

/** A line as the terminal takes it: one string, in which each text has its style. */
export function paintLine(theme: Theme, line: Line, ground?: Ground): string {
	let painted = "";
	for (const span of line) {
		if (span.text === "") continue;
		const text = styled(span.text, theme.sgr(span, ground));
		painted += span.link !== undefined && theme.links ? `\x1b]8;;${span.link}\x1b\\${text}${LINK_END}` : text;
	}
	return painted;
}

/** A text of one look, row by row. */
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
 * The rows of a pane, one below the other, none wider than the pane; what a row stands on reaches to its edge. `focused`:
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

/** How lines were painted last: most of those on the screen are the same in the next frame. */
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
