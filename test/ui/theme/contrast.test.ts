import { describe, expect, test } from "vitest";
import type { Ground, ShellColor, Tone } from "../../../src/ui/text/line.ts";
import { DARK } from "../../../src/ui/theme/palette.ts";
import { contrast, fixedColor, isDark, type Rgb } from "../../../src/ui/theme/rgb.ts";
import { createTheme, type Theme } from "../../../src/ui/theme/theme.ts";
import { TERMINAL_PALETTES, type TerminalPalette } from "../../support/terminal-palettes.ts";

/** The contrast (WCAG) of everything that is drawn with its background, from the sequences that the terminal gets. */

const TONES = Object.keys(DARK.tones) as Tone[];
const GROUNDS: readonly (Ground | undefined)[] = [
	undefined,
	...(Object.keys(DARK.grounds) as Ground[]),
	"added-words",
	"removed-words",
];

/** Lines, connectors, rules: neither read nor needed to read the rest. */
const FRAMES: ReadonlySet<Tone> = new Set(["frame"]);

/** The text and background colors that the terminal shows after SGR parameters. */
function shown(sgr: string, terminal: TerminalPalette): { text: Rgb; ground: Rgb } {
	const codes = sgr === "" ? [] : sgr.split(";").map(Number);
	let text = terminal.foreground;
	let ground = terminal.background;
	let isInverse = false;
	const pick = (index: number): Rgb => terminal.colors[index] ?? fixedColor(index) ?? raise(`color ${index}`);
	for (let at = 0; at < codes.length; at++) {
		const code = codes[at] ?? 0;
		const [kind, ...values] = codes.slice(at + 1, at + 5);
		const extended: Rgb | undefined =
			code !== 38 && code !== 48
				? undefined
				: kind === 5
					? pick(values[0] ?? -1)
					: [values[0] ?? 0, values[1] ?? 0, values[2] ?? 0];
		if (extended !== undefined) at += kind === 5 ? 2 : 4;
		if (code === 38 && extended) text = extended;
		else if (code === 48 && extended) ground = extended;
		else if (code >= 30 && code < 38) text = pick(code - 30);
		else if (code >= 90 && code < 98) text = pick(code - 82);
		else if (code === 7) isInverse = true;
		else if (![1, 2, 3, 4, 9].includes(code)) raise(`SGR ${code}`);
	}
	return isInverse ? { text: ground, ground: text } : { text, ground };
}

function raise(what: string): never {
	throw new Error(`${what} is not known`);
}

/** The roles with less contrast than they should have, and that contrast. */
function tooWeak(theme: Theme, terminal: TerminalPalette, least = 4.5): string[] {
	return GROUNDS.flatMap((ground) =>
		TONES.filter((tone) => !FRAMES.has(tone)).flatMap((tone) => {
			const { text, ground: below } = shown(theme.sgr({ tone }, ground), terminal);
			const reached = contrast(text, below);
			return reached >= least ? [] : [`${tone} on ${ground ?? "the background"}: ${reached.toFixed(2)}`];
		}),
	);
}

describe.each(TERMINAL_PALETTES)("$name", (terminal) => {
	const { background, foreground } = terminal;
	const palette = new Map(terminal.colors.entries());
	const answers = { background, foreground, palette };

	test.each(["24-bit", "256"] as const)("all content can be read, %s", (depth) => {
		expect(tooWeak(createTheme({ depth, terminal: answers }), terminal)).toEqual([]);
	});

	test.each(["24-bit", "256"] as const)(
		"all content can be read where the terminal only says dark or light, %s",
		(depth) => {
			const theme = createTheme({ depth, dark: isDark(background) });
			const own = contrast(foreground, background);
			expect(tooWeak(theme, terminal, Math.min(4.5, own))).toEqual([]);
		},
	);

	test("all content can be read with 16 colors; none is harder to read than the terminal's own text", () => {
		const own = contrast(foreground, background);
		expect(tooWeak(createTheme({ depth: "16", terminal: answers }), terminal, Math.min(4.5, own))).toEqual([]);
	});

	test("output of programs is readable in any color, unless they also chose the background", () => {
		const colors: ShellColor[] = [...Array.from({ length: 256 }, (_, index) => index), [0, 0, 128], [250, 250, 210]];
		const own = contrast(foreground, background);
		for (const depth of ["24-bit", "256", "16"] as const) {
			const theme = createTheme({ depth, terminal: answers });
			const weak = GROUNDS.flatMap((ground) =>
				colors.filter((color) => {
					const { text, ground: below } = shown(theme.sgr({ color }, ground), terminal);
					return contrast(text, below) < (depth === "16" ? Math.min(4.5, own) : 4.5);
				}),
			);
			expect(weak, depth).toEqual([]);
		}
	});

	test("words that changed stand out from their line, with any number of colors", () => {
		for (const depth of ["24-bit", "256", "16"] as const) {
			const theme = createTheme({ depth, terminal: answers });
			for (const side of ["added", "removed"] as const) {
				const words = shown(theme.sgr({ tone: side, ground: `${side}-words` }, side), terminal);
				const line = shown(theme.sgr({ tone: side }, side), terminal);
				expect(contrast(words.ground, line.ground), `${side}, ${depth}`).toBeGreaterThanOrEqual(1.5);
			}
		}
	});

	test("frames and grounds are visible", () => {
		const theme = createTheme({ depth: "24-bit", terminal: answers });
		for (const ground of GROUNDS) {
			const { text, ground: below } = shown(theme.sgr({ tone: "frame" }, ground), terminal);
			if (ground !== "match") expect(contrast(text, below), `frame on ${ground}`).toBeGreaterThan(1.25);
			if (ground !== undefined) expect(contrast(below, background), ground).toBeGreaterThan(1.02);
		}
	});
});

test("words that changed are underlined where there are no colors", () => {
	const theme = createTheme({ depth: "none" });
	expect(theme.sgr({ tone: "added", ground: "added-words" }, "added")).toBe("4");
});

test("the only one of these terminals whose own text is below 4.5 is Solarized light", () => {
	const weak = TERMINAL_PALETTES.filter(({ foreground, background }) => contrast(foreground, background) < 4.5);
	expect(weak.map(({ name }) => name)).toEqual(["Solarized light"]);
});

test("on the backgrounds that they were chosen for, the colors are those of the table", () => {
	const theme = createTheme({ depth: "24-bit", dark: true });
	expect(theme.sgr({ tone: "prompt" }, "prompt")).toBe("1;38;2;125;207;255;48;2;29;39;53");
	expect(theme.sgr({ tone: "muted" })).toBe("38;2;139;147;161");
	expect(theme.sgr({ tone: "text" }, "cursor")).toBe("38;2;212;215;220;48;2;40;52;87");
	expect(theme.sgr({ tone: "text" })).toBe("");
	const light = createTheme({ depth: "24-bit", terminal: { background: [255, 255, 255] } });
	expect(light.sgr({ tone: "error" })).toBe("38;2;196;49;75");
	expect(light.sgr({ tone: "prompt" }, "prompt")).toBe("1;38;2;11;83;148;48;2;234;242;251");
});
