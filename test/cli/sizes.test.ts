import { beforeEach, expect, test } from "vitest";
import { cellWidth } from "../../src/shared/cell-width.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";
import type { TestTerminal } from "../support/terminal.ts";

const sandbox = sandboxOfTest();
beforeEach(() => void threeSessions(sandbox));

const sizes = [
	[160, 45],
	[80, 24],
	[40, 10],
] as const;

/** A row with one character for each cell: what is wide takes two. */
function inCells(row: string): string {
	return Array.from(row, (character) => (cellWidth(character) === 2 ? `${character} ` : character)).join("");
}

/** Of the list, or of a session. */
const HEADER = /^ (?:(?:pi-grove {2})?❯ type to search|\S+ › )/;

/** The rules that divide the panes reach over the whole screen, and the columns between panes from the first to the last. */
async function expectWhole(terminal: TestTerminal, columns: number, rows: number): Promise<void> {
	await terminal.waitFor((text) => {
		const screen = text.split("\n").map(inCells);
		const rules = screen.filter((row) => /^──.*─$/.test(row) && row.length === columns);
		const joints = [...(screen[1] ?? "")].flatMap((cell, column) => (cell === "┬" ? [column] : []));
		const below = screen.slice(2, -1).filter((row) => !row.startsWith("── "));
		return (
			screen.length === rows &&
			HEADER.test(screen[0] ?? "") &&
			rules.includes(screen[1] ?? "") &&
			joints.every((column) => below.every((row) => /[│├]/.test(row[column] ?? ""))) &&
			screen.at(-1)?.trim() !== ""
		);
	});
}

/** Goes with the keys through the list, the tree and the text, which are whole panes, and back. */
async function reachAll(terminal: TestTerminal, columns: number, rows: number): Promise<void> {
	await expectWhole(terminal, columns, rows);
	terminal.press("down", "right");
	await terminal.waitFor("Stream it instead");
	await expectWhole(terminal, columns, rows);
	terminal.press("up", "up", "right");
	await terminal.waitFor(/^── .*%/m);
	await expectWhole(terminal, columns, rows);
	terminal.press("left", "left");
	await terminal.waitFor("2/3");
}

test("the window may change its size at any moment, and many changes in a row leave no trace; in the smallest one the list, tree and text can all be reached, and below 40×10 it says what it needs", async () => {
	const terminal = sandbox.start([], { columns: 160, rows: 45 });
	await terminal.waitFor("1/3");
	for (const [columns, rows] of [...sizes, ...sizes.toReversed(), [100, 30], [99, 30], [41, 44], [160, 11]] as const) {
		terminal.resize(columns, rows);
		await expectWhole(terminal, columns, rows);
	}
	// Until it is counted, and for the second after the sandbox was made, the row says something else.
	await terminal.waitFor(/Find the retry loop +\S+ +5m/);
	const before = await terminal.screen();
	for (let step = 0; step < 60; step++) terminal.resize(160 - step, 11 + (step % 20));
	terminal.resize(160, 11);
	await terminal.waitFor((text) => text === before.join("\n"));
	terminal.resize(30, 8);
	await terminal.waitFor("needs 40×10");
	terminal.resize(40, 10);
	await reachAll(terminal, 40, 10);
	terminal.resize(120, 36);
	await expectWhole(terminal, 120, 36);
	terminal.press("down");
	await terminal.waitFor("3/3");
});

/** Starts it in a terminal that says another size than it has. */
function claiming(columns: number, rows: number): TestTerminal {
	const script = `stty cols ${columns} rows ${rows}; exec "$@"`;
	return sandbox.start([], { columns: 80, rows: 24, within: ["sh", "-c", script, "sh"] });
}

test("a terminal that does not report its size is drawn on as 80×24, and that is said until a size comes", async () => {
	const terminal = claiming(0, 0);
	await terminal.waitFor(/1\/3[\s\S]*does not report its size: 80×24 is assumed/);
	await terminal.waitFor("stty cols COLUMNS rows ROWS");
	terminal.resize(120, 36);
	await terminal.waitFor((screen) => !screen.includes("does not report"));
	await expectWhole(terminal, 120, 36);
	terminal.press("ctrl+c");
	await terminal.exit();
});

test("in a single cell nothing breaks, and it can be left", async () => {
	const terminal = claiming(1, 1);
	await terminal.waitFor(() => terminal.written.includes("\x1b[?1049h"));
	terminal.press("ctrl+c");
	expect(await terminal.exit()).toEqual({ code: 0, signal: undefined });
});
