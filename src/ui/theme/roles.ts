import type { Ground, ShellColor, Tone, WordGround } from "../text/line.ts";
import { type Palette, TONES } from "./palette.ts";
import {
	contrast,
	firstBetween,
	fixedColor,
	hex,
	nearestBasic,
	nearestFixed,
	type Rgb,
	readableOn,
	standardColor,
} from "./rgb.ts";

export interface TerminalColors {
	readonly background?: Rgb | undefined;
	readonly foreground?: Rgb | undefined;
	/** Its 16 colors by number; some may be missing. */
	readonly palette?: ReadonlyMap<number, Rgb> | undefined;
}

/** How one kind of text is drawn; the colors are SGR parameters, "" for the terminal's own. */
export interface Role {
	readonly foreground: string;
	readonly background: string;
	readonly bold?: boolean;
	readonly dim?: boolean;
	readonly underline?: boolean;
	readonly inverse?: boolean;
}

export interface Roles {
	/** A tone on a ground; without one, on the terminal's own background. */
	roleOf(tone: Tone, ground: Ground | undefined): Role;
	/** SGR parameters for a text color that a program printed, adjusted to be readable on our ground; "" for none. */
	shellText(color: ShellColor, ground: Ground | undefined): string;
	/** SGR parameters for exactly that color, if the program chose both the text and the background color. */
	shellColor(color: ShellColor, layer: Layer): string;
}

/** The first SGR number for text colors, and for background colors. */
type Layer = 30 | 40;

/** Least contrast of content with its ground. */
const READABLE = 4.5;
/** Least contrast of frames, which need not be read. */
const SEEN = 1.3;

/** SGR parameters of one of the terminal's own 16 colors. */
function basicColor(index: number, layer: Layer): string {
	return String(index < 8 ? layer + index : layer + 60 + index - 8);
}

/** SGR parameters of one of 256 colors. */
function indexedColor(index: number, layer: Layer): string {
	return index < 16 ? basicColor(index, layer) : `${layer + 8};5;${index}`;
}

/** Our tones for the 16 colors that a program may print in: the terminal's own may be unreadable (its blue often is). */
const SHELL_TONES: readonly Tone[] = ["muted", "error", "added", "label", "key", "summary", "accent", "text"];

/** The tone for one of the 16 colors; undefined for other colors. */
function shellTone(color: ShellColor): Tone | undefined {
	return typeof color === "number" && color < 16 ? SHELL_TONES[color % 8] : undefined;
}

const BOLD_OF_16: ReadonlySet<Tone> = new Set(["accent", "prompt", "heading", "match"]);

/** The ground of the line in which words have another ground, and the tone of both. */
const LINE_OF_WORDS: Readonly<Record<WordGround, "added" | "removed">> = {
	"added-words": "added",
	"removed-words": "removed",
};

export function isOfWords(ground: Ground | undefined): ground is WordGround {
	return ground !== undefined && ground in LINE_OF_WORDS;
}

/** Since there are no background colors, the tone that shows the ground instead. */
const TONE_OF_GROUND: Readonly<Partial<Record<Ground, Tone>>> = {
	...LINE_OF_WORDS,
	...{ added: "added", removed: "removed", match: "match" },
};

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
			if (ground === "cursor") return { foreground: "", background: "", inverse: true, bold: BOLD_OF_16.has(tone) };
			const color = colorOf((ground && TONE_OF_GROUND[ground]) ?? tone);
			return {
				foreground: color === undefined ? "" : basicColor(color, 30),
				background: "",
				bold: BOLD_OF_16.has(tone) || ground === "cursor-beside" || ground === "prompt",
				dim: tone === "frame",
				underline: tone === "link",
				inverse: ground === "match" || isOfWords(ground),
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
		return (tone) => TONES[tone].basic.find((index) => contrastIn(assumed, index) >= READABLE);
	}
	const leastOf = (index: number): number => Math.min(contrastIn(CAMPBELL, index), contrastIn(BASIC, index));
	return (tone) => TONES[tone].basic.toSorted((a, b) => leastOf(b) - leastOf(a))[0];
}

function listed(...colors: readonly string[]): Rgb[] {
	return colors.flatMap((row) => row.split(" ").map(hex));
}

/** The colors of a palette on one terminal, adjusted to be readable. */
interface ExactColors {
	/** The color of a ground; without one, the terminal's own background. */
	groundColor(ground: Ground | undefined): Rgb;
	/** The color of a tone on a ground; undefined: the terminal's own. */
	toneColor(tone: Tone, ground: Ground | undefined): Rgb | undefined;
	/** The color nearest to this one that is readable on a ground. */
	readableColor(color: Rgb, ground: Ground | undefined, minContrast?: number): Rgb;
}

const BOLD_OF_MANY: ReadonlySet<Tone> = new Set(["prompt", "match", "heading"]);
/** How much more a ground may stand out from the terminal's background than from the palette's own. */
const MAX_SHIFT = 1.5;
/** Least contrast of the ground of words with that of their line. */
const WORDS_SEEN = 1.5;

export function exactRoles(palette: Palette, terminal: TerminalColors, depth: "24-bit" | "256"): Roles {
	const { groundColor, toneColor, readableColor } = exactColors(palette, terminal, depth);
	const sgr = (color: Rgb | undefined, layer: Layer): string => {
		if (color === undefined) return "";
		return depth === "24-bit" ? `${layer + 8};2;${color.join(";")}` : indexedColor(nearestFixed(color), layer);
	};
	return {
		roleOf: (tone, ground) => ({
			foreground: sgr(toneColor(tone, ground), 30),
			background: ground === undefined ? "" : sgr(groundColor(ground), 40),
			bold: BOLD_OF_MANY.has(tone) || ground === "match",
			underline: tone === "link",
		}),
		shellText(color, ground) {
			const tone = shellTone(color);
			if (tone !== undefined) return sgr(toneColor(tone, ground), 30);
			const value = typeof color === "number" ? standardColor(color) : color;
			return sgr(value && readableColor(value, ground), 30);
		},
		shellColor: (color, layer) => (typeof color === "number" ? indexedColor(color, layer) : sgr(color, layer)),
	};
}

function exactColors(palette: Palette, terminal: TerminalColors, depth: "24-bit" | "256"): ExactColors {
	const background = terminal.background ?? palette.background;
	// A color that is not reported is taken to be readable.
	const isOwnReadable = terminal.foreground === undefined || contrast(terminal.foreground, background) >= READABLE;
	const nearestShown = (color: Rgb, fits: (candidate: Rgb) => boolean): Rgb =>
		depth === "24-bit" ? color : (fixedColor(nearestFixed(color, fits)) ?? color);

	const grounds = new Map<Ground, Rgb>();

	function groundColor(ground: Ground | undefined): Rgb {
		if (ground === undefined) return background;
		const color = grounds.get(ground) ?? shownGround(ground);
		grounds.set(ground, color);
		return color;
	}

	function shownGround(ground: Ground): Rgb {
		if (isOfWords(ground)) {
			const line = LINE_OF_WORDS[ground];
			const below = groundColor(line);
			const isApart = (candidate: Rgb): boolean => contrast(candidate, below) >= WORDS_SEEN;
			return nearestShown(firstBetween(below, palette.tones[line], isApart), isApart);
		}
		const { color, contrast: minContrast, tint } = palette.grounds[ground];
		const isSeen = (candidate: Rgb): boolean => contrast(candidate, background) >= minContrast;
		const maxContrast = contrast(color, palette.background) * MAX_SHIFT;
		const isFit = isSeen(color) && contrast(color, background) <= maxContrast;
		return nearestShown(isFit ? color : firstBetween(background, tint, isSeen), isSeen);
	}

	function toneColor(tone: Tone, ground: Ground | undefined): Rgb | undefined {
		if (tone === "text" && ground === undefined && isOwnReadable) return undefined;
		return readableColor(palette.tones[tone], ground, tone === "frame" ? SEEN : READABLE);
	}

	function readableColor(color: Rgb, ground: Ground | undefined, minContrast = READABLE): Rgb {
		const below = groundColor(ground);
		return nearestShown(
			readableOn(below, color, minContrast),
			(candidate) => contrast(candidate, below) >= minContrast,
		);
	}

	return { groundColor, toneColor, readableColor };
}
