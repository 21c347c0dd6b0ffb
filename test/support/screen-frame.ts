import type { IBufferCell, Terminal } from "@xterm/headless";
import { cellWidth } from "../../src/shared/cell-width.ts";

/** How some cells look: colors as "#rrggbb", undefined for the terminal's own. */
interface CellStyle {
	readonly color: string | undefined;
	readonly ground: string | undefined;
	readonly bold: boolean;
	readonly dim: boolean;
	readonly italic: boolean;
	readonly underline: boolean;
}

/** Cells beside each other that look the same. */
export interface CellRun extends CellStyle {
	/** Column of the first one, from 0. */
	readonly x: number;
	/** How many columns they take. */
	readonly cells: number;
	readonly text: string;
}

/** What is on a screen: the runs of each row; blanks that nobody sees are left out. */
export type ScreenFrame = readonly (readonly CellRun[])[];

/** What is on the screen of a terminal that has 24-bit colors. */
export function screenFrame(terminal: Terminal): ScreenFrame {
	const buffer = terminal.buffer.active;
	return Array.from({ length: terminal.rows }, (_, y) => {
		const line = buffer.getLine(buffer.viewportY + y);
		const runs: CellRun[] = [];
		for (let x = 0; x < terminal.cols; x++) {
			const cell = line?.getCell(x);
			// The second half of a wide character.
			if (cell === undefined || cell.getWidth() === 0) continue;
			const text = cell.getChars() || " ";
			// xterm.js takes newer emoji for narrow; the program leaves them the second column all the same.
			const cells = Math.max(cell.getWidth(), cellWidth(text));
			add(runs, { x, cells, text, ...styleOf(cell) });
			x += cells - cell.getWidth();
		}
		return runs.filter(({ text, ground }) => text.trim() !== "" || ground !== undefined).map(trimmed);
	});
}

function add(runs: CellRun[], next: CellRun): void {
	const last = runs.at(-1);
	if (last !== undefined && looksLike(last, next)) {
		runs[runs.length - 1] = { ...last, cells: last.cells + next.cells, text: last.text + next.text };
	} else runs.push(next);
}

/** Wide characters stand alone: what follows them has its place by itself, whatever a font makes of them. */
function looksLike(one: CellRun, other: CellRun): boolean {
	return (
		one.cells === one.text.length &&
		other.cells === other.text.length &&
		one.color === other.color &&
		one.ground === other.ground &&
		one.bold === other.bold &&
		one.dim === other.dim &&
		one.italic === other.italic &&
		one.underline === other.underline
	);
}

function trimmed(run: CellRun): CellRun {
	if (run.ground !== undefined) return run;
	const text = run.text.trim();
	const before = run.text.length - run.text.trimStart().length;
	return { ...run, x: run.x + before, text, cells: run.cells - (run.text.length - text.length) };
}

function styleOf(cell: IBufferCell): CellStyle {
	const color = cell.isFgRGB() ? hex(cell.getFgColor()) : undefined;
	const ground = cell.isBgRGB() ? hex(cell.getBgColor()) : undefined;
	return {
		color,
		ground,
		bold: cell.isBold() !== 0,
		dim: cell.isDim() !== 0,
		italic: cell.isItalic() !== 0,
		underline: cell.isUnderline() !== 0,
	};
}

function hex(value: number): string {
	return `#${value.toString(16).padStart(6, "0")}`;
}
