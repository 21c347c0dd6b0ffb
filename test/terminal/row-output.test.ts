import fc from "fast-check";
import { expect, test } from "vitest";
import { codePointWidth } from "../../src/shared/cell-width.ts";
import { cutStyled, RowOutput } from "../../src/terminal/row-output.ts";
import { caseCount } from "../support/cases.ts";

const NONE = { transformers: [] };

function drawn(width: number, height: number, draw: (output: RowOutput) => void): string[] {
	const output = new RowOutput({ width, height });
	draw(output);
	const frame = output.get();
	expect(frame.height).toBe(height);
	return frame.output.split("\n");
}

test("texts are at their positions, one row each; trailing spaces are left out", () => {
	const rows = drawn(10, 3, (output) => {
		output.write(2, 0, "ab\ncd  ", NONE);
		output.write(7, 0, "x", NONE);
	});
	expect(rows).toEqual(["  ab   x", "  cd", ""]);
});

test("what is outside the frame is left out, including halves of characters", () => {
	const rows = drawn(6, 2, (output) => {
		output.write(4, 0, "long", NONE);
		output.write(-1, 1, "日本語x\ntwo", NONE);
		output.write(3, -1, "above", NONE);
	});
	expect(rows).toEqual(["    lo", " 本語x"]);
});

test("a cut text keeps its styles and its link, and ends them", () => {
	expect(cutStyled("\x1b[31mabcdef\x1b[0m", 2, 4)).toEqual({ text: "\x1b[31mcd\x1b[0m", width: 2 });
	expect(cutStyled("\x1b[31mab\x1b[0mcd", 2, 4)).toEqual({ text: "cd", width: 2 });
	expect(cutStyled("\x1b]8;;u\x1b\\abc\x1b]8;;\x1b\\d", 1, 2)).toEqual({
		text: "\x1b]8;;u\x1b\\b\x1b]8;;\x1b\\",
		width: 1,
	});
	expect(cutStyled("e\u0301x", 0, 1)).toEqual({ text: "e\u0301", width: 1 });
	expect(cutStyled("ae\u0301x", 2, 3)).toEqual({ text: "x", width: 1 });
	expect(cutStyled("abc", 3, 9)).toEqual({ text: "", width: 0 });
});

interface Cell {
	readonly character: string;
	readonly style: string;
}

const BLANK: Cell = { character: " ", style: "" };

/** The cells of a row; "" for the second one of a wide character. */
function cellsOf(row: string, width: number): Cell[] {
	const cells: Cell[] = [];
	let style = "";
	for (const [part] of row.matchAll(/\x1b\[(?:\d+)m|./gsu)) {
		if (part.startsWith("\x1b")) {
			style = part === "\x1b[0m" ? "" : part;
			continue;
		}
		cells.push({ character: part, style });
		if (codePointWidth(part.codePointAt(0) ?? 0) === 2) cells.push({ character: "", style });
	}
	while (cells.length < width) cells.push(BLANK);
	return cells;
}

/** Puts cells over others one by one; a character that is partly covered becomes spaces. */
function over(below: readonly Cell[], x: number, above: readonly Cell[]): Cell[] {
	const cells = [...below];
	for (const [index, cell] of above.entries()) if (x + index < cells.length) cells[x + index] = cell;
	return cells.map((cell, index) => {
		const isHead = codePointWidth(cell.character.codePointAt(0) ?? 32) === 2;
		const isAlone = cell.character === "" ? !isWide(cells[index - 1]) : isHead && cells[index + 1]?.character !== "";
		return isAlone ? { ...cell, character: " " } : cell;
	});
}

function isWide(cell: Cell | undefined): boolean {
	return cell !== undefined && codePointWidth(cell.character.codePointAt(0) ?? 32) === 2;
}

test("texts drawn over others leave what a screen of cells would show", () => {
	const piece = fc.record({
		x: fc.nat(11),
		parts: fc.array(fc.record({ text: fc.string({ unit: fc.constantFrom("a", "日", " ", "é") }), style: fc.nat(3) }), {
			maxLength: 3,
		}),
	});
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
			let expected = cellsOf("", 12);
			const [row = ""] = drawn(12, 1, (output) => {
				for (const { x, parts } of pieces) {
					const text = parts.map((part) => (part.style === 0 ? part.text : `\x1b[3${part.style}m${part.text}\x1b[0m`));
					output.write(x, 0, text.join(""), NONE);
					expected = over(expected, x, cellsOf(text.join(""), 0));
				}
			});
			const shown = (cells: readonly Cell[]): string[] =>
				cells.map(({ character, style }) => (character === " " ? `_${style}` : `${character}${style}`));
			expect(shown(cellsOf(row, 12)).slice(0, 12)).toEqual(shown(expected));
		}),
		{ numRuns: caseCount(100) },
	);
});
