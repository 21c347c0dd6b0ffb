import { colorDepth } from "../../ui/theme/color-depth.ts";
import { paintLine, paintRows } from "../../ui/theme/paint-line.ts";
import { createTheme } from "../../ui/theme/theme.ts";
import type { Ground, Line } from "../../ui/view.ts";

/**
 * The terminal's own 16 colors, of each the one that can best be read on any background: a command does not wait for the
 * terminal to tell its colors.
 */
const THEME = createTheme({ depth: "16" });

/** A row, and what all of it stands on. */
export interface PaintedRow {
	readonly line: Line;
	readonly ground?: Ground | undefined;
}

/** A line for stdout, in color when it is a terminal that shows colors (NO_COLOR and FORCE_COLOR are respected). */
export function paint(line: Line): string {
	return (hasColors() ? paintLine(THEME, line) : line.map(({ text }) => text).join("")).trimEnd();
}

/** The same for a row that is `width` cells wide where it stands on something. */
export function paintRow({ line, ground }: PaintedRow, width: number): string {
	if (ground === undefined || !hasColors()) return paint(line);
	return paintRows(THEME, [{ key: "", line, ground, selected: false }], width, false);
}

/** Whether stdout shows colors. */
export function hasColors(): boolean {
	const isAsked = process.stdout.isTTY || process.env.FORCE_COLOR !== undefined;
	return isAsked && colorDepth(process.env) !== "none";
}
