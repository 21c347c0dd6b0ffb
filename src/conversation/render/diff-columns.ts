import type { Ground, Line, Span, Tone } from "../../ui/text/line.ts";
import { blanks, cleanText } from "../../ui/text/sanitize.ts";
import { CODE_TAB_STOP } from "./code-lines.ts";
import type { Colored } from "./color-hunk.ts";
import type { DiffLine } from "./diff-lines.ts";
import { onGround } from "./hard-wrap.ts";
import { plainLines, wrapOpenLines } from "./open-line.ts";

/** A column of lines with their signs and numbers; all sizes in cells. */
export interface DiffColumn {
	readonly width: number;
	/** Width of the line numbers with a space before them; 0 for none. */
	readonly numbers: number;
	/** Width of the signs with their spaces; 0 for none. */
	readonly signs: number;
}

/** Cells of text that must be left beside numbers, and beside signs. */
const ROOM_WITH_NUMBERS = 12;
const ROOM_WITH_SIGNS = 4;
const SIGN_CELLS = 3;

/** The layout of a column of this width. `largest`: the largest line number in it; undefined if there is none. */
export function diffColumn(width: number, largest: number | undefined): DiffColumn {
	const digits = largest === undefined ? 0 : Math.max(2, String(largest).length) + 1;
	const numbers = width - digits - SIGN_CELLS >= ROOM_WITH_NUMBERS ? digits : 0;
	return { width, numbers, signs: width - SIGN_CELLS >= ROOM_WITH_SIGNS ? SIGN_CELLS : 0 };
}

interface Look {
	readonly sign: string;
	readonly tone: Tone;
	readonly ground: Ground | undefined;
}

const LOOKS: Readonly<Record<DiffLine["kind"], Look>> = {
	added: { sign: "+", tone: "added", ground: "added" },
	removed: { sign: "−", tone: "removed", ground: "removed" },
	same: { sign: " ", tone: "muted", ground: undefined },
	gap: { sign: "…", tone: "muted", ground: undefined },
	note: { sign: " ", tone: "muted", ground: undefined },
};

/** The rows of a line in a column; only the first has the number and the sign. */
export function* columnRows(
	line: DiffLine,
	number: number | undefined,
	colored: Colored,
	column: DiffColumn,
): Generator<Line, void> {
	const { tone, ground } = LOOKS[line.kind];
	const margin = column.numbers + column.signs;
	const known = colored.get(line);
	const lines = known === undefined ? plainLines(line.text, CODE_TAB_STOP) : [{ spans: known, isEnd: true }];
	let isFirst = true;
	for (const { rows } of wrapOpenLines(line.text === "" ? EMPTY : lines, column.width - margin)) {
		for (const row of rows) {
			const drawn = ground === undefined ? row.map((span) => ({ tone, ...span })) : row;
			const start = isFirst ? marginOf(line, number, column) : [{ text: blanks(margin) }];
			isFirst = false;
			yield ground === undefined ? [...start, ...drawn] : onGround([...start, ...drawn], column.width, ground);
		}
	}
}

const EMPTY = [{ spans: [], isEnd: true }];

function marginOf(line: DiffLine, number: number | undefined, { numbers, signs }: DiffColumn): Span[] {
	const { sign, tone } = LOOKS[line.kind];
	const digits = numbers === 0 || number === undefined ? "" : String(number);
	return [
		{ text: cleanText(digits.padStart(numbers)), tone },
		{ text: cleanText(signs === 0 ? "" : ` ${sign} `), tone },
	].filter(({ text }) => text !== "");
}
