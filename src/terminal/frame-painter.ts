export const BEGIN_FRAME = "\x1b[?2026h";
export const END_FRAME = "\x1b[?2026l";
export const HIDE_CURSOR = "\x1b[?25l";
export const SHOW_CURSOR = "\x1b[?25h";
export const ERASE_SCREEN = "\x1b[2J";
export const ERASE_ROW = "\x1b[K";
/** Without wrapping, a character that the terminal draws wider than we measured cannot spill into the next row. */
export const WRAP_OFF = "\x1b[?7l";
export const WRAP_ON = "\x1b[?7h";

/** A cell of the screen, counted from 0. */
export interface ScreenCell {
	readonly x: number;
	readonly y: number;
}

export interface Frame {
	/** The rows of the screen, from the top. */
	readonly rows: readonly string[];
	/** Where the next character is typed. */
	readonly typed: ScreenCell | undefined;
	/** The beginning of the selected row. */
	readonly selected: ScreenCell | undefined;
}

/** What to write so that the terminal shows a frame after the one `before`; undefined: nothing that is known. "" if nothing has changed. */
export type FramePainter = (frame: Frame, before: Frame | undefined) => string;

export function at(y: number, x: number): string {
	return `\x1b[${y + 1};${x + 1}H`;
}
