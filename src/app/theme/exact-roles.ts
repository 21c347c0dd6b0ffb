import type { Ground, Tone } from "../model/view.ts";
import { fixedColor, nearestFixed } from "./indexed-colors.ts";
import type { Palette } from "./palette.ts";
import { contrast, firstBetween, type Rgb, readableOn } from "./rgb.ts";
import { indexedColor, type Layer, READABLE, type Roles, SEEN, UNREAD_TONES } from "./role.ts";
import type { TerminalColors } from "./terminal-colors.ts";

/** Terminals with colors of a fixed value. */
type ExactDepth = "24-bit" | "256";

/** The colors of a palette on one terminal, each where it can be read. */
interface ExactColors {
	/** What text on a ground stands on; without one, the terminal's own background. */
	groundColor(ground: Ground | undefined): Rgb;
	/** The color of a tone on a ground; undefined: the terminal's own. */
	toneColor(tone: Tone, ground: Ground | undefined): Rgb | undefined;
}

const BOLD: ReadonlySet<Tone> = new Set(["prompt", "match", "heading"]);
/** How much more than on the palette's own background one of its grounds may stand out. */
const MOST_SHIFT = 1.5;

/** The roles of a terminal with 24-bit color, or with 256. */
export function exactRoles(palette: Palette, terminal: TerminalColors, depth: ExactDepth): Roles {
	const { groundColor, toneColor } = exactColors(palette, terminal, depth);
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
		shellColor: (color, layer) => (typeof color === "number" ? indexedColor(color, layer) : sgr(color, layer)),
	};
}

/** The colors that `exactRoles` draws with. */
function exactColors(palette: Palette, terminal: TerminalColors, depth: ExactDepth): ExactColors {
	const background = terminal.background ?? palette.background;
	const shown = (color: Rgb, fits: (candidate: Rgb) => boolean): Rgb =>
		depth === "24-bit" ? color : (fixedColor(nearestFixed(color, fits)) ?? color);

	function groundColor(ground: Ground | undefined): Rgb {
		if (ground === undefined) return background;
		const { color, contrast: least, tint } = palette.grounds[ground];
		const isSeen = (candidate: Rgb): boolean => contrast(candidate, background) >= least;
		const most = contrast(color, palette.background) * MOST_SHIFT;
		const isFit = isSeen(color) && contrast(color, background) <= most;
		return shown(isFit ? color : firstBetween(background, tint, isSeen), isSeen);
	}

	function toneColor(tone: Tone, ground: Ground | undefined): Rgb | undefined {
		const below = groundColor(ground);
		const least = UNREAD_TONES.has(tone) ? SEEN : READABLE;
		const isReadable = (candidate: Rgb): boolean => contrast(candidate, below) >= least;
		// The person's own choice; one that is not known will be readable.
		const isOwn = tone === "text" && ground === undefined;
		if (isOwn && (terminal.foreground === undefined || isReadable(terminal.foreground))) return undefined;
		return shown(readableOn(below, palette.tones[tone], least), isReadable);
	}

	return { groundColor, toneColor };
}
