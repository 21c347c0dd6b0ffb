import { Box } from "ink";
import { render } from "ink-testing-library";
import type { ReactElement } from "react";
import { expect, test } from "vitest";
import { Divider } from "../../components/Divider.tsx";
import { Footer } from "../../components/Footer.tsx";
import { Frame } from "../../components/Frame.tsx";
import { Header } from "../../components/Header.tsx";
import { Menu } from "../../components/Menu.tsx";
import { Message } from "../../components/Message.tsx";
import { Overlay } from "../../components/Overlay.tsx";
import { Pane } from "../../components/Pane.tsx";
import { Prompt } from "../../components/Prompt.tsx";
import { Rule } from "../../components/Rule.tsx";
import { TextLine, TextLines } from "../../components/TextLine.tsx";
import { TooSmall } from "../../components/TooSmall.tsx";
import { span } from "../../src/ui/text/line.ts";
import { cleanText } from "../../src/ui/text/sanitize.ts";
import type { MenuView, PromptView } from "../../src/ui/view.ts";
import { line, pane } from "../support/views.ts";

const SIZE = { columns: 20, rows: 5 };
const BOX = { x: 0, y: 0, width: 16, height: 5 };
const LONG = { key: "a", line: [span("日本語".repeat(9), "error")], selected: false };
const NARROW = { id: "list", x: 0, y: 0, width: 20, height: 2 } as const;
const MENU: MenuView = {
	kind: "menu",
	...BOX,
	title: line("Delete?"),
	body: [],
	items: ["Trash", "Cancel"].map(cleanText),
	first: 0,
	index: 0,
	danger: false,
	hint: line("enter"),
};
const PROMPT: PromptView = {
	kind: "prompt",
	...BOX,
	title: line("Rename"),
	body: line("To:").map((part) => [part]),
	texts: [cleanText("日本")],
	isSelected: false,
	fieldWidth: 12,
	cursor: { x: 6, y: 2 },
	hint: line("enter"),
};

/** What a component draws on a screen of 20×5, without colors; rows are cut where nothing but blanks follows. */
function drawn(node: ReactElement): string[] {
	const { lastFrame, unmount } = render(
		<Box width={SIZE.columns} height={SIZE.rows}>
			{node}
		</Box>,
	);
	const frame = lastFrame() ?? "";
	unmount();
	return frame.replace(/\x1b\[[\d;]*m/g, "").split("\n");
}

test.each<[what: string, node: () => ReactElement, rows: readonly string[]]>([
	[
		"a header is a bar from edge to edge",
		() => <Header header={line(" pi-grove")} columns={20} />,
		[" pi-grove", "", "", "", ""],
	],
	["a footer is the last row", () => <Footer footer={line(" q quit")} {...SIZE} />, ["", "", "", "", " q quit"]],
	[
		"a rule begins at its column",
		() => <Rule x={9} y={1} line={line("├─ tree ──")} columns={20} />,
		["", "         ├─ tree ──", "", "", ""],
	],
	[
		"a divider is left of its pane",
		() => <Divider pane={{ x: 3, y: 1, width: 9, height: 3 }} />,
		["", "  │", "  │", "  │", ""],
	],
	[
		"a pane cuts what is wider, and leaves out what is below its last row",
		() => <Pane pane={pane({ ...NARROW, rows: [LONG, LONG, LONG] })} />,
		["日本語日本語日本語…", "日本語日本語日本語…", "", "", ""],
	],
	[
		"the row under the cursor fills its pane",
		() => <Pane pane={pane({ ...NARROW, focused: true, rows: [{ ...LONG, line: line("one"), selected: true }] })} />,
		["one                 ", "", "", "", ""],
	],
	[
		"a message covers whole rows, down to the last one",
		() => (
			<>
				<TextLines lines={["1", "2", "3", "4", "5"].map((digit) => line(digit.repeat(20)))} />
				<Message message={[line(" one"), line(" two")]} {...SIZE} />
			</>
		),
		["1".repeat(20), "2".repeat(20), "3".repeat(20), " one", " two"],
	],
	[
		"a window that is too small says what is needed, in the longest form that fits",
		() => <TooSmall columns={20} rows={1} smallest={{ columns: 40, rows: 10 }} />,
		["pi-grove needs 40×10", "", "", "", ""],
	],
	[
		"a line has its spans side by side",
		() => <TextLine line={[span("user ", "prompt"), span("hello")]} />,
		["user hello", "", "", "", ""],
	],
	[
		"each line takes one row, empty or too long",
		() => <TextLines lines={[[], line("x".repeat(30)), line("y")]} />,
		["", `${"x".repeat(19)}…`, "y", "", ""],
	],
	["a menu marks the item at its index", () => <Menu menu={MENU} />, ["› Trash", "  Cancel", "", "", ""]],
	["also another one", () => <Menu menu={{ ...MENU, index: 1 }} />, ["  Trash", "› Cancel", "", "", ""]],
	["a prompt is a field as wide as its box", () => <Prompt prompt={PROMPT} />, ["日本        ", "", "", "", ""]],
	[
		"a frame has its title above and its position below",
		() => (
			<Frame box={BOX} title={line("Keys")} position={cleanText("1/20")} tone="accent">
				<TextLine line={line("ctrl+k")} />
			</Frame>
		),
		["┌ Keys ────────┐", "│ctrl+k        │", "│              │", "│              │", "└─────── 1/20 ─┘"],
	],
	[
		"an overlay has its body, its items and its hint",
		() => <Overlay overlay={MENU} />,
		["┌ Delete? ─────┐", "│ › Trash      │", "│   Cancel     │", "│ enter        │", "└──────────────┘"],
	],
	[
		"or its field",
		() => <Overlay overlay={PROMPT} />,
		["┌ Rename ──────┐", "│ To:          │", "│ 日本         │", "│ enter        │", "└──────────────┘"],
	],
])("%s", (_, node, rows) => {
	expect(drawn(node())).toEqual(rows);
});
