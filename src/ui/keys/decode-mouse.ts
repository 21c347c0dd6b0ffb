import type { Cell } from "../view.ts";

/** An action of a button or the wheel, over a cell of the screen; `menu`: the right button was pressed. */
export type MouseEvent = Cell &
	(
		| { readonly kind: "press" | "drag" | "release" | "menu" }
		/** `rows`: how far to scroll down; negative: up. */
		| { readonly kind: "wheel"; readonly rows: number }
	);

const REPORT = /^\x1b\[<(\d{1,5});(\d{1,5});(\d{1,5})([Mm])$/;

/** Bits of the first number. */
const BUTTON = 3;
const RIGHT = 2;
const MOVED = 32;
const WHEEL = 64;
const MORE_BUTTONS = 128;

/** Rows that one step of the wheel scrolls. */
const WHEEL_ROWS = 3;

/** Decodes a mouse report (SGR, mode 1006); none for the middle button and motion without a button. */
export function decodeMouse(report: string): MouseEvent[] {
	const [, code = "", column = "", row = "", end] = REPORT.exec(report) ?? [];
	if (end === undefined) return [];
	const bits = Number(code);
	const button = bits & BUTTON;
	const cell = { x: Math.max(0, Number(column) - 1), y: Math.max(0, Number(row) - 1) };
	if ((bits & MORE_BUTTONS) !== 0) return [];
	if ((bits & WHEEL) !== 0)
		return button > 1 ? [] : [{ kind: "wheel", rows: button === 0 ? -WHEEL_ROWS : WHEEL_ROWS, ...cell }];
	if (button === RIGHT) return end === "M" && (bits & MOVED) === 0 ? [{ kind: "menu", ...cell }] : [];
	if (button !== 0) return [];
	if ((bits & MOVED) !== 0) return [{ kind: "drag", ...cell }];
	return [{ kind: end === "M" ? "press" : "release", ...cell }];
}

/** Joins successive turns of the wheel over the same cell into one; of a drag, keeps only the last event. */
export function joinTurns(events: readonly MouseEvent[]): MouseEvent[] {
	const joined: MouseEvent[] = [];
	for (const event of events) {
		const last = joined.at(-1);
		if (event.kind === "wheel" && last?.kind === "wheel" && last.x === event.x && last.y === event.y)
			joined[joined.length - 1] = { ...event, rows: last.rows + event.rows };
		else if (event.kind === "drag" && last?.kind === "drag") joined[joined.length - 1] = event;
		else joined.push(event);
	}
	return joined;
}
