import { distance, type Rgb } from "./rgb.ts";

const CUBE = [0, 95, 135, 175, 215, 255];

/** Those of the 256 colors that have a fixed value: a cube of 6×6×6 from number 16 on, and 24 grays from 232 on. */
const FIXED: readonly Rgb[] = [
	...CUBE.flatMap((red) => CUBE.flatMap((green) => CUBE.map((blue): Rgb => [red, green, blue]))),
	...Array.from({ length: 24 }, (_, step): Rgb => [8 + 10 * step, 8 + 10 * step, 8 + 10 * step]),
];
/** The colors before this number are the terminal's own. */
const FIRST_FIXED = 16;

/** xterm's first 16 colors, which programs expect that print a color by its number. */
const BASIC: readonly Rgb[] = [
	[0, 0, 0],
	[205, 0, 0],
	[0, 205, 0],
	[205, 205, 0],
	[0, 0, 238],
	[205, 0, 205],
	[0, 205, 205],
	[229, 229, 229],
	[127, 127, 127],
	[255, 0, 0],
	[0, 255, 0],
	[255, 255, 0],
	[92, 92, 255],
	[255, 0, 255],
	[0, 255, 255],
	[255, 255, 255],
];

/** The value of a color by its number; undefined for the terminal's own 16. */
export function fixedColor(index: number): Rgb | undefined {
	return FIXED[index - FIRST_FIXED];
}

/** The value of a color by its number, with xterm's for the first 16; undefined if there is none. */
export function standardColor(index: number): Rgb | undefined {
	return BASIC[index] ?? fixedColor(index);
}

/** Number of the nearest fixed color that fits, or of the nearest one if none does. */
export function nearestFixed(color: Rgb, isFit: (candidate: Rgb) => boolean = () => true): number {
	return FIRST_FIXED + (nearest(FIXED, color, isFit) ?? nearest(FIXED, color) ?? 0);
}

/** Number of the nearest of the 16 colors, for a terminal that has no others. */
export function nearestBasic(color: number | Rgb): number {
	if (typeof color !== "number") return nearest(BASIC, color) ?? 0;
	const fixed = fixedColor(color);
	return fixed === undefined ? color : (nearest(BASIC, fixed) ?? 0);
}

function nearest(colors: readonly Rgb[], wanted: Rgb, isFit: (color: Rgb) => boolean = () => true): number | undefined {
	let best: number | undefined;
	let bestDistance = Number.POSITIVE_INFINITY;
	for (const [index, color] of colors.entries()) {
		const far = distance(color, wanted);
		if (far >= bestDistance || !isFit(color)) continue;
		bestDistance = far;
		best = index;
	}
	return best;
}
