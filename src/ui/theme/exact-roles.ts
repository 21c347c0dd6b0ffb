import type { Ground, Tone } from "../text/line.ts";
import type { Palette } from "./palette.ts";
import { contrast, firstBetween, fixedColor, nearestFixed, type Rgb, readableOn, standardColor } from "./rgb.ts";
import {
	indexedColor,
	type Layer,
	READABLE,
	type Roles,
	SEEN,
	shellTone,
	type TerminalColors,
	UNREAD_TONES,
} from "./role.ts";

/** Depths at which a color has a fixed value. */
type ExactDepth = "24-bit" | "256";

/** The colors of a palette on one terminal, adjusted to be readable. */
interface ExactColors {
	/** The color of a ground; without one, the terminal's own background. */
	groundColor(ground: Ground | undefined): Rgb;
	/** The color of a tone on a ground; undefined: the terminal's own. */
	toneColor(tone: Tone, ground: Ground | undefined): Rgb | undefined;
	/** The color nearest to this one that is readable on a ground. */
	readableColor(color: Rgb, ground: Ground | undefined, minContrast?: number): Rgb;
}

const BOLD: ReadonlySet<Tone> = new Set(["prompt", "match", "heading"]);
/** How much more a ground may stand out from the terminal's background than from the palette's own. */
const MAX_SHIFT = 1.5;

/** The roles of a terminal with 24-bit color, or with 256. */
export function exactRoles(palette: Palette, terminal: TerminalColors, depth: ExactDepth): Roles {
	const { groundColor, toneColor, readableColor } = exactColors(palette, terminal, depth);
	const sgr = (color: Rgb | undefined, layer: Layer): string => {
		if (color === undefined) return "";
		return depth === "24-bit" ? `${layer + 8};2;${color.join(";")}` : indexedColor(nearestFixed(color), layer);
	};
	return {
		roleOf: (tone, ground) => ({
			foreground: sgr(toneColor(tone, ground), 30),
			background: ground === undefined ? "" : sgr(groundColor(ground), 40),
			bold: BOLD.has(tone) || ground === "match",
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

/** The colors that `exactRoles` draws with. */
function exactColors(palette: Palette, terminal: TerminalColors, depth: ExactDepth): ExactColors {
	const background = terminal.background ?? palette.background;
	// A color that is not reported is taken to be readable.
	const isOwnReadable = terminal.foreground === undefined || contrast(terminal.foreground, background) >= READABLE;
	const shown = (color: Rgb, fits: (candidate: Rgb) => boolean): Rgb =>
		depth === "24-bit" ? color : (fixedColor(nearestFixed(color, fits)) ?? color);

	const grounds = new Map<Ground, Rgb>();

	function groundColor(ground: Ground | undefined): Rgb {
		if (ground === undefined) return background;
		const known = grounds.get(ground) ?? shownGround(ground);
		grounds.set(ground, known);
		return known;
	}

	function shownGround(ground: Ground): Rgb {
		const { color, contrast: minContrast, tint } = palette.grounds[ground];
		const isSeen = (candidate: Rgb): boolean => contrast(candidate, background) >= minContrast;
		const maxContrast = contrast(color, palette.background) * MAX_SHIFT;
		const isFit = isSeen(color) && contrast(color, background) <= maxContrast;
		return shown(isFit ? color : firstBetween(background, tint, isSeen), isSeen);
	}

	function toneColor(tone: Tone, ground: Ground | undefined): Rgb | undefined {
		if (tone === "text" && ground === undefined && isOwnReadable) return undefined;
		return readableColor(palette.tones[tone], ground, UNREAD_TONES.has(tone) ? SEEN : READABLE);
	}

	function readableColor(color: Rgb, ground: Ground | undefined, minContrast = READABLE): Rgb {
		const below = groundColor(ground);
		return shown(readableOn(below, color, minContrast), (candidate) => contrast(candidate, below) >= minContrast);
	}

	return { groundColor, toneColor, readableColor };
}
