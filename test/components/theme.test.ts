import { expect, test } from "vitest";
import { createTheme, spanStyle } from "../../components/theme.ts";
import { span, strong } from "../../src/app/text/span.ts";

test("without colors the cursor, matches and warnings can still be told apart", () => {
	const theme = createTheme(false);
	const styles = [...Object.values(theme.tones), theme.border, theme.focusedBorder, theme.dangerBorder];
	for (const style of styles) expect(style).not.toHaveProperty("color");
	expect(theme.tones.match).not.toEqual(theme.tones.text);
	expect(theme.tones.warning).not.toEqual(theme.tones.text);
	expect(theme.focusedBorder).not.toEqual(theme.border);
});

test("only the terminal's own sixteen colors are used, and none that vanishes on a light or a dark background", () => {
	const theme = createTheme(true);
	const colors = Object.values(theme.tones).flatMap(({ color }) => color ?? []);
	for (const color of colors) expect(["red", "green", "yellow", "blue", "magenta", "cyan"]).toContain(color);
});

test("on an inverted row only a match keeps a style of its own", () => {
	const theme = createTheme(true);
	expect(spanStyle(theme, span("a", "error"), true)).toEqual({ bold: true });
	expect(spanStyle(theme, span("a", "match"), true)).toEqual({ bold: true, underline: true });
	expect(spanStyle(theme, strong("a", "error"), false)).toEqual({
		...theme.tones.error,
		bold: true,
	});
});
