import { cellWidth, styledWidth } from "../shared/cell-width.ts";
import { terminalSize } from "./terminal.ts";

/** A cell of the screen, counted from 0. */
interface Cell {
	readonly x: number;
	readonly y: number;
}

/** The stream that Ink draws on instead of the terminal. */
export interface FrameStream {
	/** Pass this to Ink as `stdout`, with `debug: true`, so that each write is one whole frame. */
	readonly stream: NodeJS.WriteStream;
	/** Sets where the next frame puts the terminal's cursor; undefined hides it. */
	setCursor(cell: Cell | undefined): void;
	/** Makes the next frame draw every row, because the terminal may no longer show the last one. */
	invalidate(): void;
}

const BEGIN_FRAME = "\x1b[?2026h";
const END_FRAME = "\x1b[?2026l";
const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
const ERASE_SCREEN = "\x1b[2J";
const ERASE_ROW = "\x1b[K";
/** Without wrapping, a character that the terminal draws wider than we measured cannot spill into the next row. */
const WRAP_OFF = "\x1b[?7l";
const WRAP_ON = "\x1b[?7h";
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
export function createFrameStream(terminal: NodeJS.WriteStream, modes: ScreenModes = NO_MODES): FrameStream {
	/** The rows on the screen; undefined if all rows must be drawn. */
	let shownRows: readonly string[] | undefined;
	let size = "";
	let cursor: Cell | undefined;
	let shownCursor: string | undefined;

	function paint(frame: string): string {
		const { columns, rows: height } = terminalSize(terminal);
		const now = `${columns}×${height}`;
		const rowsBefore = now === size ? shownRows : undefined;
		const rows = frame.split("\n").slice(0, height);
		const changes = changedRows(rowsBefore, rows);
		const cursorNow = cursor ? at(cursor.y, cursor.x) + SHOW_CURSOR : HIDE_CURSOR;
		shownRows = rows;
		size = now;
		if (changes === "" && cursorNow === shownCursor) return "";
		shownCursor = cursorNow;
		const clear = rowsBefore === undefined ? ERASE_SCREEN : "";
		return `${BEGIN_FRAME}${HIDE_CURSOR}${WRAP_OFF}${clear}${changes}${WRAP_ON}${cursorNow}${END_FRAME}`;
	}

	const write = (chunk: unknown, ...rest: unknown[]): boolean => {
		if (typeof chunk !== "string" || isControl(chunk)) {
			if (chunk === ENTER_FULL_SCREEN) {
				shownRows = undefined;
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
		setCursor: (cell) => {
			cursor = cell;
		},
		invalidate: () => {
			shownRows = undefined;
		},
	};
}

/** Ink also writes terminal modes (cursor, full screen, paste), and "" to wait until everything is written. */
function isControl(chunk: string): boolean {
	return chunk === "" || chunk.startsWith("\x1b[?");
}

function changedRows(rowsBefore: readonly string[] | undefined, rows: readonly string[]): string {
	let text = "";
	for (let y = 0; y < Math.max(rows.length, rowsBefore?.length ?? 0); y++) {
		const row = rows[y] ?? "";
		// Erase before drawing: after a row of full width, the cursor is still on its last character.
		if (rowsBefore === undefined ? row !== "" : row !== rowsBefore[y]) text += at(y, 0) + ERASE_ROW + placeColumns(row);
	}
	return text;
}

function at(y: number, x: number): string {
	return `\x1b[${y + 1};${x + 1}H`;
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
export function placeColumns(row: string): string {
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
