import { expect, test } from "vitest";
import { createLiveTheme } from "../../../src/cli/browser/live-theme.ts";
import { cleanText } from "../../../src/ui/text/sanitize.ts";
import {
	type ColorDepth,
	colorDepth,
	darkByChoice,
	darkByEnvironment,
	hasLinks,
} from "../../../src/ui/theme/theme-choice.ts";

test.each<[Record<string, string>, ColorDepth]>([
	[{ TERM: "xterm-256color", COLORTERM: "truecolor" }, "24-bit"],
	[{ TERM: "xterm-256color", COLORTERM: "24bit" }, "24-bit"],
	[{ TERM: "xterm-kitty" }, "24-bit"],
	[{ TERM: "xterm-direct" }, "24-bit"],
	[{ TERM: "xterm-256color", WT_SESSION: "a" }, "24-bit"],
	[{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "24-bit"],
	[{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, "256"],
	[{ TERM: "tmux-256color", TMUX: "a", TERM_PROGRAM: "tmux" }, "256"],
	[{ TERM: "screen-256color", STY: "a", COLORTERM: "truecolor" }, "256"],
	[{ TERM: "screen", STY: "a", COLORTERM: "truecolor" }, "16"],
	[{ TERM: "xterm" }, "16"],
	[{ TERM: "linux" }, "16"],
	[{}, "16"],
	[{ TERM: "dumb", COLORTERM: "truecolor" }, "none"],
	[{ TERM: "xterm-256color", COLORTERM: "truecolor", NO_COLOR: "1" }, "none"],
	[{ TERM: "xterm-256color", NO_COLOR: "" }, "256"],
	[{ TERM: "xterm", FORCE_COLOR: "3" }, "24-bit"],
	[{ TERM: "xterm-256color", FORCE_COLOR: "0" }, "none"],
])("the colors of %j are %s", (env, depth) => expect(colorDepth(env)).toBe(depth));

test.each<[Record<string, string>, boolean]>([
	[{ TERM: "xterm-kitty" }, true],
	[{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, true],
	[{ TERM: "xterm-256color", VTE_VERSION: "7600" }, true],
	[{ TERM: "xterm-256color", VTE_VERSION: "4602" }, false],
	[{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, false],
	[{ TERM: "tmux-256color", TMUX: "a", VTE_VERSION: "7600" }, false],
	[{ TERM: "xterm-256color" }, false],
])("whether %j has links: %s", (env, links) => expect(hasLinks(env)).toBe(links));

test.each<[string | undefined, boolean | undefined]>([
	["15;0", true],
	["0;15", false],
	["12;8", true],
	["0;default;7", false],
	["default;default", undefined],
	["0;99", undefined],
	["", undefined],
	[undefined, undefined],
])("COLORFGBG %j is dark: %s", (value, dark) => expect(darkByEnvironment({ COLORFGBG: value })).toBe(dark));

test("PI_GROVE_THEME is dark, light, or nothing", () => {
	expect(["dark", "light", "blue", ""].map((value) => darkByChoice({ PI_GROVE_THEME: value }))).toEqual([
		true,
		false,
		undefined,
		undefined,
	]);
});

test("what is chosen in the browser overrules the environment and pi, and is drawn at once", () => {
	const theme = createLiveTheme({ COLORTERM: "truecolor", PI_GROVE_THEME: "dark" }, { dark: true });
	let drawn = 0;
	theme.subscribe(() => drawn++);
	const before = theme.current();
	theme.choose("light");
	expect([theme.current() === before, drawn]).toEqual([false, 1]);
	const accent = { text: cleanText("x"), tone: "accent" } as const;
	const light = createLiveTheme({ COLORTERM: "truecolor", PI_GROVE_THEME: "light" }, {}).current();
	expect(theme.current().sgr(accent)).toBe(light.sgr(accent));
	theme.choose("default");
	expect(theme.current().sgr(accent)).toBe(before.sgr(accent));
});
