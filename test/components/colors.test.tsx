import { Box } from "ink";
import { afterEach, expect, test } from "vitest";
import { Pane } from "../../components/Pane.tsx";
import { TextLine } from "../../components/TextLine.tsx";
import { ThemeContext } from "../../hooks/use-theme.ts";
import { span } from "../../src/ui/text/line.ts";
import { cleanText } from "../../src/ui/text/sanitize.ts";
import { createTheme, type Theme } from "../../src/ui/theme/theme.ts";
import type { RowView } from "../../src/ui/view.ts";
import { draw } from "../support/render.tsx";
import { pane } from "../support/views.ts";

let unmount = (): void => {};
afterEach(() => unmount());

const TRUE_COLOR = createTheme({ depth: "24-bit", dark: true });

async function show(theme: Theme, row: RowView, width: number, focused = true): Promise<string> {
	const { terminal, ink } = draw(
		<ThemeContext value={theme}>
			<Box width={width} height={1}>
				<Pane pane={pane({ id: "list", x: 0, y: 0, width, height: 1, rows: [row], focused })} />
			</Box>
		</ThemeContext>,
		width + 2,
		2,
	);
	unmount = ink.unmount;
	await ink.waitUntilRenderFlush();
	return (await terminal.styledScreen()).replace("\n\n", "\n");
}

test("a row's ground reaches to the edge, whatever stands on it", async () => {
	const row: RowView = {
		key: "a",
		line: [span("● ", "current"), span("日本", "prompt"), span(" x")],
		selected: false,
		ground: "prompt",
	};
	expect(await show(TRUE_COLOR, row, 12)).toBe(
		`● 日本 x
abccccbdbbbb
a #9ece6a on #1d2735
b on #1d2735
c #7dcfff on #1d2735 bold
d #d4d7dc on #1d2735
`,
	);
});

test("under the cursor the tones stay and the ground is the cursor's, except where something was found", async () => {
	const row: RowView = {
		key: "a",
		line: [span("edit", "verb"), span(" a.ts "), span("+2", "added"), { text: cleanText("hit"), ground: "match" }],
		selected: true,
		ground: "prompt",
	};
	expect(await show(TRUE_COLOR, row, 16)).toBe(`edit a.ts +2hit
aaaabccccbddeeeb
a #9aa5ce on #283457
b on #283457
c #d4d7dc on #283457
d #9ece6a on #283457
e #d4d7dc on #5a4a1f bold
`);
});

test("with 16 colors and with none the cursor is a reversed bar, and only bold in a pane without the focus", async () => {
	const row: RowView = { key: "a", line: [span("x", "error")], selected: true };
	for (const depth of ["16", "none"] as const) {
		const theme = createTheme({ depth, dark: true });
		expect(await show(theme, row, 3)).toMatch(/^x\n(?:aaa\na inverse|abb\na bold inverse\nb inverse)\n$/);
		expect(await show(theme, row, 3, false)).toMatch(/^x\na\na (9 )?bold\n$/);
	}
});

test("output of a program keeps its colors, as far as the terminal has them", async () => {
	const line = [{ text: cleanText("a"), color: 208, background: [1, 2, 3] as const, italic: true, strike: true }];
	const look = async (theme: Theme): Promise<string> =>
		(await show(theme, { key: "a", line, selected: false }, 2)).slice(4);
	expect(await look(TRUE_COLOR)).toBe("a 208 on #010203 italic strike\n");
	expect(await look(createTheme({ depth: "256" }))).toBe("a 208 on 16 italic strike\n");
	expect(await look(createTheme({ depth: "16" }))).toMatch(/^a \d on 0 italic strike\n$/);
	expect(await look(createTheme({ depth: "none" }))).toBe("a italic strike\n");
});

test("links are drawn if the terminal supports them", async () => {
	const line = [span("see "), { ...span("docs", "link"), link: "https://example.org/a" }, span(".")];
	const written = async (links: boolean): Promise<string> => {
		const { terminal, ink } = draw(
			<ThemeContext value={createTheme({ depth: "16", links })}>
				<TextLine line={line} />
			</ThemeContext>,
			20,
			2,
		);
		unmount = ink.unmount;
		await ink.waitUntilRenderFlush();
		expect((await terminal.screen())[0]).toBe("see docs.");
		return terminal.written;
	};
	expect(await written(true)).toMatch(/\x1b\]8;;https:\/\/example\.org\/a(\x07|\x1b\\).*docs.*\x1b\]8;;(\x07|\x1b\\)/);
	expect(await written(false)).not.toContain("\x1b]8");
});
