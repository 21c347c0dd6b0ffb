import { afterEach, expect, test } from "vitest";
import { Screen } from "../../components/Screen.tsx";
import type { AppScreen } from "../../src/app/world/state/state.ts";
import { span } from "../../src/ui/text/line.ts";
import { cleanText } from "../../src/ui/text/sanitize.ts";
import type { FakeTerminal } from "../support/fake-terminal.ts";
import { draw } from "../support/render.tsx";
import { line, pane, rows, screen } from "../support/views.ts";

let unmount = (): void => {};
afterEach(() => unmount());

async function show(view: AppScreen): Promise<{ terminal: FakeTerminal; update: (view: AppScreen) => Promise<void> }> {
	const { terminal, ink, update } = draw(<Screen view={view} />, view.columns, view.rows);
	unmount = ink.unmount;
	await ink.waitUntilRenderFlush();
	return { terminal, update: (next) => update(<Screen view={next} />) };
}

test("header, titles and positions, panes and footer are where the view puts them", async () => {
	const { terminal } = await show(screen(40, 10));
	expect(await terminal.screen()).toEqual([
		" pi-grove  9 sessions",
		"── list ────── 1/9 ─┬─ tree ────── 1/9 ─",
		"› list 0            │› tree 0",
		"  list 1            │  tree 1",
		"  list 2            │  tree 2",
		"  list 3            │  tree 3",
		"  list 4            │  tree 4",
		"  list 5            │  tree 5",
		"  list 6            │  tree 6",
		" enter resume",
	]);
});

test("the row under the cursor is a bar over the whole pane, in the focused pane only", async () => {
	const { terminal } = await show(screen(40, 10));
	const inverted = await terminal.inverted(2);
	expect(inverted.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => true));
	expect(inverted.slice(20)).not.toContain(true);
});

test("an empty row keeps its height, and fewer rows than fit leave empty ones", async () => {
	const list = pane({
		id: "list",
		x: 0,
		width: 12,
		height: 6,
		rows: [
			{ key: "a", line: line("one"), selected: false },
			{ key: "b", line: [], selected: false },
			{ key: "c", line: line("three"), selected: false },
		],
	});
	const { terminal } = await show(screen(12, 9, { panes: [list] }));
	expect((await terminal.screen()).slice(2, 8)).toEqual(["one", "", "three", "", "", ""]);
});

test("wide characters keep the divider straight, and lines longer than the pane are cut, not wrapped", async () => {
	const list = pane({
		id: "list",
		x: 0,
		width: 12,
		height: 4,
		rows: [
			{ key: "a", line: [span("日本語", "prompt"), span(" ok")], selected: true },
			{ key: "b", line: line("much longer than the pane"), selected: false },
		],
		focused: true,
	});
	const tree = pane({ id: "tree", x: 13, width: 10, height: 4, rows: [] });
	const { terminal } = await show(screen(23, 7, { panes: [list, tree] }));
	expect((await terminal.screen()).slice(2, 4)).toEqual(["日本語 ok   │", "much longer…│"]);
});

test("the terminal's cursor is where the view puts it", async () => {
	const { terminal, update } = await show(screen(40, 10, { cursor: { x: 5, y: 1 } }));
	expect(await terminal.cursor()).toEqual({ x: 5, y: 1 });
	await update(screen(40, 10, { cursor: { x: 6, y: 1 } }));
	expect(await terminal.cursor()).toEqual({ x: 6, y: 1 });
});

test("a prompt covers what lies below it, and has the cursor", async () => {
	const view = screen(40, 12, {
		overlay: {
			kind: "prompt",
			x: 5,
			y: 2,
			width: 30,
			height: 7,
			title: line("Rename"),
			body: [line("Empty clears the name."), []],
			texts: [cleanText("日本")],
			isSelected: false,
			fieldWidth: 26,
			cursor: { x: 11, y: 5 },
			hint: line("enter save"),
		},
		cursor: { x: 11, y: 5 },
	});
	const { terminal } = await show(view);
	const shown = await terminal.screen();
	expect(shown.slice(2, 9)).toEqual([
		"› lis┌ Rename ────────────────────┐",
		"  lis│ Empty clears the name.     │",
		"  lis│                            │",
		"  lis│ 日本                       │",
		"  lis│                            │",
		"  lis│ enter save                 │",
		"  lis└────────────────────────────┘",
	]);
	expect(await terminal.cursor()).toEqual({ x: 11, y: 5 });
});

test("a menu highlights the item of its index, follows it, and hides the cursor", async () => {
	const menu = (index: number): AppScreen =>
		screen(40, 12, {
			overlay: {
				kind: "menu",
				first: 0,
				x: 6,
				y: 3,
				width: 28,
				height: 6,
				title: line("Delete?"),
				body: [],
				items: ["Move to the trash and forget", "Keep"].map(cleanText),
				index,
				danger: true,
				hint: line("enter choose"),
			},
			cursor: undefined,
		});
	const { terminal, update } = await show(menu(0));
	expect((await terminal.screen()).slice(3, 9).map((row) => row.slice(6, 34))).toEqual([
		"┌ Delete? ─────────────────┐",
		"│ › Move to the trash and… │",
		"│   Keep                   │",
		"│                          │",
		"│ enter choose             │",
		"└──────────────────────────┘",
	]);
	await update(menu(1));
	expect((await terminal.screen())[5]?.slice(6, 16)).toBe("│ › Keep  ");
	expect(terminal.written.lastIndexOf("\x1b[?25l")).toBeGreaterThan(terminal.written.lastIndexOf("\x1b[?25h"));
});

test("help shows its rows and its position, and leaves nothing behind when it closes", async () => {
	const plain = screen(40, 12);
	const { terminal, update } = await show(plain);
	const before = await terminal.screen();
	await update({
		...plain,
		overlay: {
			kind: "help",
			x: 8,
			y: 2,
			width: 24,
			height: 8,
			title: line("Keys"),
			body: rows(5, -1, "key").map((row) => row.line),
			position: cleanText("1/20"),
			hint: line("escape close"),
		},
	});
	expect((await terminal.screen()).slice(2, 10).map((row) => row.slice(8, 32))).toEqual([
		"┌ Keys ────────────────┐",
		"│   key 0              │",
		"│   key 1              │",
		"│   key 2              │",
		"│   key 3              │",
		"│   key 4              │",
		"│ escape close         │",
		"└─────────────── 1/20 ─┘",
	]);
	await update(plain);
	expect(await terminal.screen()).toEqual(before);
});

test("below the smallest size only the reason is drawn", async () => {
	const { terminal } = await show(screen(20, 4, { smallest: { columns: 40, rows: 10 } }));
	expect(await terminal.screen()).toEqual(["pi-grove needs", "40×10, this is 20×4", "", ""]);
});
