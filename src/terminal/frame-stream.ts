import { cellWidth, styledWidth } from "../shared/cell-width.ts";
import {
	at,
	BEGIN_FRAME,
	END_FRAME,
	ERASE_ROW,
	ERASE_SCREEN,
	type Frame,
	type FramePainter,
	HIDE_CURSOR,
	type ScreenCell,
	SHOW_CURSOR,
	WRAP_OFF,
	WRAP_ON,
} from "./frame-painter.ts";
import { terminalSize } from "./terminal.ts";

/** The stream that Ink draws on instead of the terminal. */
export interface FrameStream {
	/** Pass this to Ink as `stdout`, with `debug: true`, so that each write is one whole frame. */
	readonly stream: NodeJS.WriteStream;
	/** Sets where the next frame puts the terminal's cursor: where something is typed, else, hidden, on the selected row. */
	setCursor(typed: ScreenCell | undefined, selected?: ScreenCell): void;
	/** Makes the next frame draw every row, because the terminal may no longer show the last one. */
	invalidate(): void;
}

const ENTER_FULL_SCREEN = "\x1b[?1049h";
const LEAVE_FULL_SCREEN = "\x1b[?1049l";

/** What else to write when the full screen is entered and left, since some modes of a terminal belong to one screen. */
interface ScreenModes {
	enteredScreen(): string;
	leavingScreen(): string;
}

const NO_MODES: ScreenModes = { enteredScreen: () => "", leavingScreen: () => "" };

/**
 * Draws whole frames of Ink on the terminal by writing only the rows that changed, each at its own position.
 *
 * Ink can do this itself, but not for frames as tall as the screen: it puts the cursor one row too high, erases
 * the scrollback (`CSI 3J`) on leaving and when the frame gets shorter, erases the last column of a full row on terminals
 * that follow the VT100 there, and leaves remains behind when the window shrinks.
 */
export function createFrameStream(
	terminal: NodeJS.WriteStream,
	modes: ScreenModes = NO_MODES,
	paintFrame: FramePainter = drawFrame,
): FrameStream {
	/** The frame on the screen; undefined if all rows must be drawn. */
	let lastFrame: Frame | undefined;
	let size = "";
	let cursor: Pick<Frame, "typed" | "selected"> = { typed: undefined, selected: undefined };

	function paint(text: string): string {
		const { columns, rows: height } = terminalSize(terminal);
		const now = `${columns}×${height}`;
		const frame = { ...cursor, rows: text.split("\n").slice(0, height) };
		const changes = paintFrame(frame, now === size ? lastFrame : undefined);
		lastFrame = frame;
		size = now;
		return changes;
	}

	const write = (chunk: unknown, ...rest: unknown[]): boolean => {
		if (typeof chunk !== "string" || isControl(chunk)) {
			if (chunk === ENTER_FULL_SCREEN) {
				lastFrame = undefined;
				return Reflect.apply(terminal.write, terminal, [chunk + modes.enteredScreen(), ...rest]);
			}
			if (chunk === LEAVE_FULL_SCREEN)
				return Reflect.apply(terminal.write, terminal, [modes.leavingScreen() + chunk, ...rest]);
			return Reflect.apply(terminal.write, terminal, [chunk, ...rest]);
		}
		return Reflect.apply(terminal.write, terminal, [paint(chunk), ...rest]);
	};

	// On a resize Ink would draw its last frame once more, which was drawn for the old size.
	const on = (event: string, listener: (...values: unknown[]) => void): NodeJS.WriteStream =>
		event === "resize" ? terminal : terminal.on(event, listener);

	return {
		stream: new Proxy(terminal, {
			get(target, name) {
				if (name === "write") return write;
				if (name === "on") return on;
				if (name === "columns" || name === "rows") return terminalSize(target)[name];
				const value: unknown = Reflect.get(target, name, target);
				return typeof value === "function" ? value.bind(target) : value;
			},
		}),
		setCursor: (typed, selected) => {
			cursor = { typed, selected };
		},
		invalidate: () => {
			lastFrame = undefined;
		},
	};
}

/** Ink also writes terminal modes (cursor, full screen, paste), and "" to wait until everything is written. */
function isControl(chunk: string): boolean {
	return chunk === "" || chunk.startsWith("\x1b[?");
}

/** Draws the rows that have changed, each in its place. */
export const drawFrame: FramePainter = ({ rows, typed, selected }, before) => {
	const changes = changedRows(before?.rows, rows);
	const cursor = cursorAt(typed, selected);
	if (changes === "" && before !== undefined && cursor === cursorAt(before.typed, before.selected)) return "";
	const clear = before === undefined ? ERASE_SCREEN : "";
	return `${BEGIN_FRAME}${HIDE_CURSOR}${WRAP_OFF}${clear}${changes}${WRAP_ON}${cursor}${END_FRAME}`;
};

function cursorAt(typed: ScreenCell | undefined, selected: ScreenCell | undefined): string {
	if (typed !== undefined) return at(typed.y, typed.x) + SHOW_CURSOR;
	return selected === undefined ? HIDE_CURSOR : at(selected.y, selected.x) + HIDE_CURSOR;
}

function changedRows(rowsBefore: readonly string[] | undefined, rows: readonly string[]): string {
	let text = "";
	for (let y = 0; y < Math.max(rows.length, rowsBefore?.length ?? 0); y++) {
		const row = rows[y] ?? "";
		// Erase before drawing: after a row of full width, the cursor is still on its last character.
		if (rowsBefore === undefined ? row !== "" : row !== rowsBefore[y])
			text += at(y, 0) + ERASE_ROW + positionColumns(row);
	}
	return text;
}

/** A start with only characters that have the same width in every terminal, and styles and links. */
const SURE =
	/^(?:[ -~\u00a0-\u02ff\u0391-\u03a1\u03a3-\u03e1\u03f0-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc\u3041-\u3096\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7a3]|\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\))*/;
const PARTS = /\x1b\[[\d;]*m|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)| +|[!-~]+|./gsu;
const BORDER = /^[│┌┐└┘├┤┬┴─]$/;

/**
 * Makes sure that borders, and text behind two spaces or more, are in their columns, whatever the width of the text before
 * them in this terminal: terminals disagree on flags, on emoji newer than they are, and on Indic and other letters that they
 * may or may not join. Such a text may cover spaces beside it, or leave some, but what follows stays in its column. Other rows
 * are returned as they are.
 */
export function positionColumns(row: string): string {
	let placed = sureStart(row);
	if (placed.length === row.length) return row;
	let column = styledWidth(placed);
	let isUnsure = false;
	let isAfterGap = false;
	for (const [part] of row.slice(placed.length).matchAll(PARTS)) {
		if (part.startsWith("\x1b")) {
			placed += part;
			continue;
		}
		if (part.startsWith(" ")) {
			isAfterGap = part.length > 1;
			placed += part;
			column += part.length;
			continue;
		}
		if (isUnsure && (isAfterGap || BORDER.test(part))) {
			placed += `\x1b[${column + 1}G`;
			isUnsure = false;
		}
		placed += part;
		column += cellWidth(part);
		isUnsure ||= sureStart(part) === "";
		isAfterGap = false;
	}
	return placed;
}

function sureStart(text: string): string {
	return SURE.exec(text)?.[0] ?? "";
}
