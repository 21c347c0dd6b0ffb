import type { Ground, Tone } from "../text/line.ts";
import { contrast, hex, nearestBasic, type Rgb } from "./rgb.ts";
import { basicColor, READABLE, type Role, type Roles, shellTone, type TerminalColors } from "./role.ts";

const RED = 1;
const GREEN = 2;
const YELLOW = 3;
const BLUE = 4;
const MAGENTA = 5;
const CYAN = 6;
const BRIGHT = 8;

/** Which of the 16 colors may be used for a tone, the best one first; if none, the terminal's own text color. */
const COLORS: Readonly<Record<Tone, readonly number[]>> = {
	text: [],
	muted: [],
	frame: [],
	accent: [CYAN + BRIGHT, CYAN, BLUE],
	prompt: [CYAN + BRIGHT, CYAN, BLUE],
	verb: [BLUE + BRIGHT, BLUE],
	label: [YELLOW, YELLOW + BRIGHT],
	summary: [MAGENTA + BRIGHT, MAGENTA],
	current: [GREEN, GREEN + BRIGHT],
	match: [YELLOW, YELLOW + BRIGHT],
	warning: [YELLOW, YELLOW + BRIGHT],
	error: [RED + BRIGHT, RED],
	key: [CYAN, CYAN + BRIGHT, BLUE],
	added: [GREEN, GREEN + BRIGHT],
	removed: [RED + BRIGHT, RED],
	heading: [YELLOW, YELLOW + BRIGHT],
	link: [BLUE + BRIGHT, BLUE],
	code: [GREEN, GREEN + BRIGHT],
	keyword: [MAGENTA + BRIGHT, MAGENTA],
	string: [GREEN, GREEN + BRIGHT],
	comment: [],
	number: [YELLOW, YELLOW + BRIGHT],
	name: [BLUE + BRIGHT, BLUE],
	type: [CYAN, CYAN + BRIGHT],
};

const BOLD: ReadonlySet<Tone> = new Set(["accent", "prompt", "heading", "match"]);

/** Since there are no background colors, the tone that shows the ground instead. */
const TONE_OF_GROUND: Readonly<Partial<Record<Ground, Tone>>> = { added: "added", removed: "removed", match: "match" };

/** A terminal's background and its 16 colors. */
interface BasicPalette {
	readonly background: Rgb;
	readonly colors: readonly Rgb[];
}

/** Assumed for a terminal that does not report its colors: Windows' Campbell if it is dark, else macOS's Basic. */
const CAMPBELL: BasicPalette = {
	background: hex("#0c0c0c"),
	colors: listed(
		"#0c0c0c #c50f1f #13a10e #c19c00 #0037da #881798 #3a96dd #cccccc",
		"#767676 #e74856 #16c60c #f9f1a5 #3b78ff #b4009e #61d6d6 #f2f2f2",
	),
};
const BASIC: BasicPalette = {
	background: hex("#ffffff"),
	colors: listed(
		"#000000 #990000 #00a600 #999900 #0000b2 #b200b2 #00a6b2 #bfbfbf",
		"#666666 #e50000 #00d900 #e5e500 #0000ff #e500e5 #00e5e5 #e5e5e5",
	),
};

/** The roles of a terminal with its own 16 colors; `isDark`: whether its background is dark, undefined if not known. */
export function basicRoles(terminal: TerminalColors, isDark: boolean | undefined): Roles {
	const colorOf = basicColors(terminal, isDark);
	return {
		roleOf(tone, ground): Role {
			// On an inverted row text colors would become backgrounds that change from word to word.
			if (ground === "cursor") return { foreground: "", background: "", inverse: true, bold: BOLD.has(tone) };
			const color = colorOf((ground && TONE_OF_GROUND[ground]) ?? tone);
			return {
				foreground: color === undefined ? "" : basicColor(color, 30),
				background: "",
				bold: BOLD.has(tone) || ground === "cursor-beside" || ground === "prompt",
				dim: tone === "frame",
				underline: tone === "link",
				inverse: ground === "match",
			};
		},
		shellText(color, ground) {
			if (ground === "cursor") return "";
			const index = colorOf(shellTone(nearestBasic(color)) ?? "text");
			return index === undefined ? "" : basicColor(index, 30);
		},
		shellColor: (color, layer) => basicColor(nearestBasic(color), layer),
	};
}

/**
 * The number of the color that `basicRoles` draws a tone with; undefined: the terminal's own text color. It is the first one
 * that is readable, or if the background is not known, the one that is most readable on any.
 */
function basicColors(
	{ background, palette }: TerminalColors,
	isDark: boolean | undefined,
): (tone: Tone) => number | undefined {
	const contrastIn = (assumed: BasicPalette, index: number): number => {
		const color = palette?.get(index) ?? assumed.colors[index];
		return color === undefined ? 0 : contrast(color, background ?? assumed.background);
	};
	if (isDark !== undefined) {
		const assumed = isDark ? CAMPBELL : BASIC;
		return (tone) => COLORS[tone].find((index) => contrastIn(assumed, index) >= READABLE);
	}
	const leastOf = (index: number): number => Math.min(contrastIn(CAMPBELL, index), contrastIn(BASIC, index));
	return (tone) => COLORS[tone].toSorted((a, b) => leastOf(b) - leastOf(a))[0];
}

function listed(...colors: readonly string[]): Rgb[] {
	return colors.flatMap((row) => row.split(" ").map(hex));
}
