import { memoLast } from "../../shared/memo.ts";
import { isDevice } from "../../terminal/terminal.ts";
import { type Ground, type Line, lineText } from "../../ui/text/line.ts";
import { createTheme, paintLine, paintRows } from "../../ui/theme/theme.ts";
import { colorDepth } from "../../ui/theme/theme-choice.ts";

/**
 * The terminal's own 16 colors, chosen to be readable on any background: a command does not wait for the terminal to report its
 * colors. Made when it is needed: most output has no colors.
 */
const theme = memoLast(() => createTheme({ depth: "16" }));

export interface PaintedRow {
	readonly line: Line;
	readonly ground?: Ground | undefined;
}

/** A line for stdout, in color if that is a terminal with colors (NO_COLOR and FORCE_COLOR are respected). */
export function paint(line: Line): string {
	return (hasColors() ? paintLine(theme(), line) : lineText(line)).trimEnd();
}

/** The same for a row, which is padded to `width` cells if it has a background. */
export function paintRow({ line, ground }: PaintedRow, width: number): string {
	if (ground === undefined || !hasColors()) return paint(line);
	return paintRows(theme(), [{ key: "", line, ground, selected: false }], width, false);
}

export function hasColors(): boolean {
	const isWanted = (isDevice(1) && process.stdout.isTTY) || process.env.FORCE_COLOR !== undefined;
	return isWanted && colorDepth(process.env) !== "none";
}
