import { Box, Text } from "ink";
import { expect, test } from "vitest";
import { createFrameStream, positionColumns } from "../../src/terminal/frame-stream.ts";
import { FakeTerminal } from "../support/fake-terminal.ts";
import { type Drawn, draw } from "../support/render.tsx";

/** A screen full of text whose rows fill the whole width. */
function Filled({ columns, rows, fill }: { columns: number; rows: number; fill: string }) {
	return (
		<Box width={columns} height={rows} flexDirection="column">
			{Array.from({ length: rows }, (_, row) => {
				const key = `${row}`;
				return <Text key={key}>{(row === 1 ? fill : `${row % 10}`).repeat(columns)}</Text>;
			})}
		</Box>
	);
}

async function shown(columns: number, rows: number): Promise<Drawn> {
	const drawn = draw(<Filled columns={columns} rows={rows} fill="a" />, columns, rows);
	await drawn.ink.waitUntilRenderFlush();
	return drawn;
}

/** Where a text is written, as "row;column". */
const positions = (written: string) => [...written.matchAll(/\x1b\[(\d+;\d+)H/g)].map(([, cell]) => cell);

/** The written text, without control sequences. */
const printed = (written: string) => written.replace(/\x1b\[[?\d;]*[a-zA-Z]/g, "");

test("only the rows that changed are written", async () => {
	const { terminal, update } = await shown(30, 8);
	terminal.written = "";
	await update(<Filled columns={30} rows={8} fill="b" />);
	expect((await terminal.screen())[1]).toBe("b".repeat(30));
	expect(positions(terminal.written)).toEqual(["2;1"]);
	expect(printed(terminal.written)).toBe("b".repeat(30));
	terminal.written = "";
	await update(<Filled columns={30} rows={8} fill="b" />);
	expect(terminal.written).toBe("");
});

test("nothing is erased after a full row, where some terminals would erase its last character", async () => {
	const { terminal } = await shown(30, 8);
	expect(terminal.written).toContain("a".repeat(30));
	expect(terminal.written).not.toMatch(/[0-9a]{30}\x1b\[K/);
});

test("after any change of the window's size the screen is what a new one would be", async () => {
	const { terminal, ink, update } = await shown(30, 8);
	const sizes = [
		[29, 8],
		[12, 20],
		[60, 5],
		[60, 6],
		[30, 8],
		[31, 9],
		[30, 8],
	] as const;
	for (const [columns, rows] of sizes) {
		// Ink is notified of the new size first, and draws the old content in it.
		terminal.resize(columns, rows);
		await update(<Filled columns={columns} rows={rows} fill="a" />);
		const fresh = await shown(columns, rows);
		expect(await terminal.screen()).toEqual(await fresh.terminal.screen());
		fresh.ink.unmount();
	}
	ink.unmount();
});

test("the scrollback is never erased, and the full screen is left", async () => {
	const { terminal, ink, update } = await shown(30, 8);
	await update(<Text>low</Text>);
	await update(<Filled columns={30} rows={8} fill="a" />);
	ink.unmount();
	await ink.waitUntilExit();
	expect(terminal.written).not.toContain("\x1b[3J");
	expect(terminal.written.lastIndexOf("\x1b[?1049l")).toBeGreaterThan(terminal.written.lastIndexOf("\x1b[?1049h"));
	expect(terminal.written.lastIndexOf("\x1b[?25h")).toBeGreaterThan(terminal.written.lastIndexOf("\x1b[?25l"));
});

test("a full screen that was left and entered again is redrawn", () => {
	const terminal = new FakeTerminal(10, 2);
	const { stream } = createFrameStream(terminal as unknown as NodeJS.WriteStream);
	stream.write("one\ntwo");
	stream.write("\x1b[?1049l");
	stream.write("\x1b[?1049h");
	terminal.written = "";
	stream.write("one\ntwo");
	expect(terminal.written).toContain("one");
	expect(terminal.written).toContain("two");
});

test("an invalidated screen is redrawn although nothing has changed", () => {
	const terminal = new FakeTerminal(10, 2);
	const { stream, invalidate } = createFrameStream(terminal as unknown as NodeJS.WriteStream);
	stream.write("one\ntwo");
	terminal.written = "";
	invalidate();
	stream.write("one\ntwo");
	expect(terminal.written).toContain("one");
});

test("the cursor goes where it is set, even when nothing else changes, and is hidden otherwise", async () => {
	const terminal = new FakeTerminal(10, 3);
	const { stream, setCursor } = createFrameStream(terminal as unknown as NodeJS.WriteStream);
	setCursor({ x: 4, y: 1 });
	stream.write("one\ntwo\nsix");
	expect(await terminal.cursor()).toEqual({ x: 4, y: 1 });
	setCursor({ x: 2, y: 2 });
	terminal.written = "";
	stream.write("one\ntwo\nsix");
	expect(await terminal.cursor()).toEqual({ x: 2, y: 2 });
	expect(terminal.written.endsWith("\x1b[?25h\x1b[?2026l")).toBe(true);
	setCursor(undefined);
	terminal.written = "";
	stream.write("one\ntwo\nsix");
	expect(terminal.written).not.toContain("\x1b[?25h");
	// It stands on the selected row, for programs that read the screen.
	setCursor(undefined, { x: 0, y: 1 });
	terminal.written = "";
	stream.write("one\ntwo\nsix");
	expect(terminal.written).toContain("\x1b[2;1H\x1b[?25l");
});

test("a row that the terminal draws wider than measured does not displace others", async () => {
	const terminal = new FakeTerminal(10, 3);
	const { stream } = createFrameStream(terminal as unknown as NodeJS.WriteStream);
	stream.write("one\n123456789012345\nsix");
	expect(await terminal.screen()).toEqual(["one", "1234567895", "six"]);
});

test("what follows a text that terminals draw differently wide is put in its column, and other rows stay as they are", () => {
	expect(positionColumns("│ हिन्दी  12 │ \x1b[1m🇩🇪\x1b[22m │")).toBe(
		"│ हिन्दी  \x1b[10G12 │ \x1b[1m🇩🇪\x1b[22m \x1b[18G│",
	);
	expect(positionColumns("│\x1b[31m naïve 日本語 →\x1b[39m │")).toBe("│\x1b[31m naïve 日本語 →\x1b[39m │");
});
